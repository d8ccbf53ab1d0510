package io.middleware.engine.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The API server's audit log: who changed what, in which order; the oracle of these tests. */
public final class AuditLog {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Set<String> READS = Set.of("get", "list", "watch");

  private static final Path PATH = Path.of(Engine.variable("AUDIT_LOG"));

  private final List<Entry> seen = new ArrayList<>();
  private RandomAccessFile file;

  private AuditLog(RandomAccessFile file) {
    this.file = file;
  }

  /** A log of what happens from now on. */
  public static AuditLog fromNow() {
    try {
      var file = new RandomAccessFile(PATH.toFile(), "r");
      file.seek(startOfLastLine(file));
      return new AuditLog(file);
    } catch (IOException e) {
      throw new IllegalStateException("open the audit log " + PATH, e);
    }
  }

  /** A line that is being written at this moment belongs to what happens from now on. */
  private static long startOfLastLine(RandomAccessFile file) throws IOException {
    for (long start = file.length(); start > 0; start--) {
      file.seek(start - 1);
      if (file.read() == '\n') {
        return start;
      }
    }
    return 0;
  }

  /**
   * One request that was answered.
   *
   * @param group of the API; empty for the core
   * @param resource with its subresource, for example {@code pods/eviction}; empty for other URLs
   */
  public record Entry(
      Instant at,
      String user,
      String impersonated,
      String verb,
      String group,
      String resource,
      String namespace,
      String name,
      int code,
      boolean dryRun) {

    public boolean succeeded() {
      return code < 300;
    }

    boolean isCutOff() {
      return code == HttpURLConnection.HTTP_GATEWAY_TIMEOUT;
    }

    public boolean isRead() {
      return READS.contains(verb);
    }

    boolean stopsPod() {
      return !dryRun
          && (resource.equals("pods/eviction")
              || (resource.equals("pods") && verb.equals("delete")));
    }

    boolean createsPod() {
      return resource.equals("pods") && verb.equals("create") && succeeded();
    }

    /** What it sees it may write a little later on a busy machine. */
    public boolean isByWatcher() {
      return user.contains(":middleware-watcher");
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

  /** What the engine did to an App's parts: its writes, but for what it says of the App itself. */
  public List<Entry> operations(String namespace, String app) {
    return writes(namespace).stream()
        .filter(entry -> entry.name().startsWith(app + "-"))
        .filter(entry -> !entry.resource().endsWith("/status"))
        .toList();
  }

  /**
   * The names of what the engine wrote so in a namespace, oldest first. If it is killed meanwhile,
   * the server notes a timeout and may have written nevertheless: what the engine did not repeat
   * then counts as written.
   */
  public List<String> names(String namespace, String resource, String verb) {
    List<String> names = new ArrayList<>();
    Set<String> cutOff = new LinkedHashSet<>();
    in(namespace).stream()
        .filter(entry -> entry.isByEngine() && !entry.dryRun())
        .filter(entry -> entry.resource().equals(resource) && entry.verb().equals(verb))
        .forEach(
            entry -> {
              if (entry.isCutOff()) {
                cutOff.add(entry.name());
              } else if (entry.succeeded()) {
                names.add(entry.name());
              }
            });
    cutOff.removeAll(names);
    names.addAll(cutOff);
    return names;
  }

  /**
   * The names of the pods that the engine evicted or deleted in a namespace, oldest first. If it is
   * killed meanwhile, the server notes a timeout and may stop the pod nevertheless, which shows
   * when the pod is created again.
   */
  public List<String> restarts(String namespace) {
    List<String> restarts = new ArrayList<>();
    Set<String> cutOff = new HashSet<>();
    for (var entry : in(namespace)) {
      var isStop = entry.isByEngine() && entry.stopsPod();
      if (isStop && entry.isCutOff()) {
        cutOff.add(entry.name());
      } else if (isStop && entry.succeeded()) {
        cutOff.remove(entry.name());
        restarts.add(entry.name());
      } else if (entry.createsPod() && cutOff.remove(entry.name())) {
        restarts.add(entry.name());
      }
    }
    return restarts;
  }

  /** All writes so far, also refused ones, oldest first. */
  public List<Entry> entries() {
    return requests().stream().filter(entry -> !entry.isRead()).toList();
  }

  /** All entries so far, what the engine read among them, oldest first. */
  public synchronized List<Entry> requests() {
    try {
      boolean ended = isRotated();
      readLines();
      if (ended) {
        file.close();
        file = new RandomAccessFile(PATH.toFile(), "r");
        readLines();
      }
    } catch (IOException e) {
      throw new IllegalStateException("read the audit log " + PATH, e);
    }
    return List.copyOf(seen);
  }

  /**
   * The server has renamed the file, as it was long enough, and writes another. The length is
   * looked at first: the other way round a file that grows in between would seem to be another.
   */
  private boolean isRotated() throws IOException {
    long before = file.length();
    try {
      return Files.size(PATH) < before;
    } catch (NoSuchFileException e) {
      return false; // renamed, and the other is not there yet
    }
  }

  private void readLines() throws IOException {
    long begin = file.getFilePointer();
    var bytes = new byte[(int) (file.length() - begin)];
    file.readFully(bytes);
    int whole = lastLineEnd(bytes);
    for (var line : new String(bytes, 0, whole, StandardCharsets.UTF_8).lines().toList()) {
      seen.add(entry(JSON.readTree(line)));
    }
    file.seek(begin + whole);
  }

  private static int lastLineEnd(byte[] bytes) {
    int end = bytes.length;
    while (end > 0 && bytes[end - 1] != '\n') {
      end--;
    }
    return end;
  }

  private static Entry entry(JsonNode line) {
    var object = line.path("objectRef");
    var subresource = object.path("subresource").asText();
    return new Entry(
        Instant.parse(line.path("requestReceivedTimestamp").asText()),
        line.path("user").path("username").asText(),
        line.path("impersonatedUser").path("username").asText(),
        line.path("verb").asText(),
        object.path("apiGroup").asText(),
        object.path("resource").asText() + (subresource.isEmpty() ? "" : "/" + subresource),
        object.path("namespace").asText(),
        object.path("name").asText(),
        line.path("responseStatus").path("code").asInt(),
        line.path("requestURI").asText().contains("dryRun="));
  }
}
