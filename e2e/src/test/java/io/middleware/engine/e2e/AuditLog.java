package io.middleware.engine.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The API server's audit log: who changed what, in which order; the oracle of these tests. */
public final class AuditLog {
  private static final ObjectMapper JSON = new ObjectMapper();
  private final Path file = Path.of(Engine.variable("AUDIT_LOG"));
  private final long start;

  private AuditLog(long start) {
    this.start = start;
  }

  /** A log of what happens from now on. */
  public static AuditLog fromNow() {
    return new AuditLog(Path.of(Engine.variable("AUDIT_LOG")).toFile().length());
  }

  /**
   * One request that changed something or was refused.
   *
   * @param resource with its subresource, for example {@code pods/eviction}
   */
  public record Entry(
      Instant at,
      String user,
      String impersonated,
      String verb,
      String resource,
      String namespace,
      String name,
      int code,
      boolean dryRun) {

    public boolean succeeded() {
      return code < 300;
    }

    public boolean isByEngine() {
      return user.contains(":middleware-worker") || user.contains(":middleware-watcher");
    }
  }

  /** All entries of a namespace so far, oldest first. */
  public List<Entry> in(String namespace) {
    return entries().stream().filter(entry -> namespace.equals(entry.namespace())).toList();
  }

  /** What the engine wrote in a namespace: succeeded, no dry runs, without events. */
  public List<Entry> writes(String namespace) {
    return in(namespace).stream()
        .filter(Entry::isByEngine)
        .filter(Entry::succeeded)
        .filter(entry -> !entry.dryRun() && !entry.resource().equals("events"))
        .toList();
  }

  /** The names of the pods that the engine evicted or deleted in a namespace, oldest first. */
  public List<String> restarts(String namespace) {
    return writes(namespace).stream()
        .filter(
            entry ->
                entry.resource().equals("pods/eviction")
                    || (entry.resource().equals("pods") && entry.verb().equals("delete")))
        .map(Entry::name)
        .toList();
  }

  /** All entries so far, oldest first. */
  public List<Entry> entries() {
    var entries = new ArrayList<Entry>();
    try (var log = new RandomAccessFile(file.toFile(), "r")) {
      log.seek(start);
      var bytes = new byte[(int) (log.length() - start)];
      log.readFully(bytes);
      var text = new String(bytes, StandardCharsets.UTF_8);
      for (var line : text.substring(0, text.lastIndexOf('\n') + 1).lines().toList()) {
        entries.add(entry(JSON.readTree(line)));
      }
    } catch (IOException e) {
      throw new IllegalStateException("read the audit log " + file, e);
    }
    return entries;
  }

  private static Entry entry(JsonNode line) {
    var object = line.path("objectRef");
    var subresource = object.path("subresource").asText();
    return new Entry(
        Instant.parse(line.path("requestReceivedTimestamp").asText()),
        line.path("user").path("username").asText(),
        line.path("impersonatedUser").path("username").asText(),
        line.path("verb").asText(),
        object.path("resource").asText() + (subresource.isEmpty() ? "" : "/" + subresource),
        object.path("namespace").asText(),
        object.path("name").asText(),
        line.path("responseStatus").path("code").asInt(),
        line.path("requestURI").asText().contains("dryRun="));
  }
}
