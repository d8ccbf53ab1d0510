package io.middleware.engine.agent.redis;

import static java.util.stream.Collectors.joining;

import io.grpc.Status;
import io.middleware.engine.agent.redis.SentinelServer.MonitoredGroup;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The groups that a Sentinel has to monitor.
 *
 * @param groups replication groups, each by its headless Service, which is also its name in
 *     Sentinel
 * @param options of every group, as {@code SENTINEL SET} names them, including {@code quorum}
 */
public record SentinelSettings(List<String> groups, Map<String, String> options) {
  static final String QUORUM = "quorum";

  private static final String GROUPS = "monitor";

  public SentinelSettings {
    groups = List.copyOf(groups);
    options = Map.copyOf(options);
  }

  /** From a ConfigMap: the key {@code monitor} has the groups, the other keys are options. */
  public static SentinelSettings of(Map<String, String> data) {
    var options = new HashMap<>(data);
    var groups = options.remove(GROUPS);
    if (groups == null || groups.isBlank() || !options.containsKey(QUORUM)) {
      throw new IllegalArgumentException(
          "the ConfigMap of a Sentinel must have the keys %s (the Services of the groups,"
                  .formatted(GROUPS)
              + " separated by spaces) and %s, but has %s".formatted(QUORUM, data.keySet()));
    }
    return new SentinelSettings(List.of(groups.strip().split("\\s+")), options);
  }

  /** From the folder of a mounted ConfigMap. */
  public static SentinelSettings in(Path folder) {
    Map<String, String> data = new HashMap<>();
    try (var files = Files.list(folder)) {
      for (var file : files.filter(Files::isRegularFile).toList()) {
        data.put(file.getFileName().toString(), Files.readString(file).strip());
      }
    } catch (IOException e) {
      throw new UncheckedIOException("read the groups to monitor from " + folder, e);
    }
    return of(data);
  }

  /** The same settings with these replaced, named as in the ConfigMap. */
  SentinelSettings with(Map<String, String> changed) {
    var data = new HashMap<>(options);
    data.put(GROUPS, String.join(" ", groups));
    data.putAll(changed);
    return of(data);
  }

  /**
   * What a Sentinel has of these parameters; of an option, the values of all groups.
   *
   * @param monitored its groups by name
   */
  Map<String, String> inForce(Set<String> parameters, Map<String, MonitoredGroup> monitored) {
    Map<String, String> inForce = new HashMap<>();
    for (var parameter : parameters) {
      inForce.put(
          parameter,
          parameter.equals(GROUPS)
              ? inOrder(monitored.keySet())
              : monitored.values().stream()
                  .map(group -> group.fields().getOrDefault(parameter, ""))
                  .distinct()
                  .collect(joining(", ")));
    }
    return inForce;
  }

  /**
   * Fails with UNAVAILABLE unless a Sentinel monitors all groups.
   *
   * @param pod of the Sentinel
   * @param monitored the groups that it monitors
   */
  void requireAll(String pod, Set<String> monitored) {
    if (!monitored.containsAll(groups)) {
      var awaited = groups.stream().filter(group -> !monitored.contains(group));
      throw Status.UNAVAILABLE
          .withDescription(
              "the Sentinel of %s does not monitor all its groups yet: it waits for a primary of %s"
                  .formatted(pod, awaited.collect(joining(", "))))
          .asRuntimeException();
    }
  }

  private String inOrder(Set<String> monitored) {
    return Stream.concat(
            groups.stream().filter(monitored::contains),
            monitored.stream().filter(group -> !groups.contains(group)).sorted())
        .collect(joining(" "));
  }
}
