package io.middleware.engine.process;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The engine's own metrics, with the names that Micrometer has for them: Prometheus has underscores
 * instead of dots, and a suffix for the type. docs/reference/metrics.md is made of this.
 */
public enum EngineMetric {
  APPS(
      "middleware.apps",
      Type.GAUGE,
      "watcher",
      "Apps by the phase in their status; only the watcher that leads knows them.",
      "phase"),
  OLDEST_CHANGE(
      "middleware.oldest.change.seconds",
      Type.GAUGE,
      "watcher",
      "Age of the oldest change that is being carried out, neither paused nor waiting for approval; 0 without one."),
  BACKUPS_OVERDUE(
      "middleware.backups.overdue",
      Type.GAUGE,
      "watcher",
      "Apps with a backup that is overdue: those with the condition BackupOverdue."),
  ROLES_INCONSISTENT(
      "middleware.roles.inconsistent",
      Type.GAUGE,
      "watcher",
      "Apps with a group that has several primaries, or none although it had one, or with a pod that cannot do what its role promises: those with the condition RolesInconsistent."),
  ENDPOINTS_OUTDATED(
      "middleware.endpoints.outdated",
      Type.GAUGE,
      "watcher",
      "Apps with a Service for applications that the watcher cannot bring up to date: those with the condition EndpointsOutdated."),
  VOLUMES_AT_RISK(
      "middleware.volumes.at.risk",
      Type.GAUGE,
      "watcher",
      "Apps with a volume claim that is being deleted while its pod uses it: those with the condition VolumesAtRisk."),
  OLDEST_BACKUP(
      "middleware.oldest.backup.seconds",
      Type.GAUGE,
      "watcher",
      "Age of the oldest among the last good backups of all Apps that run and have a schedule; 0 without one."),
  CHANGES_SIGNALLED(
      "middleware.changes.signalled",
      Type.COUNTER,
      "watcher",
      "Signals sent to runs, by what caused them.",
      "cause"),
  SIGNALS_FAILED(
      "middleware.signals.failed",
      Type.COUNTER,
      "watcher",
      "Signals that Temporal did not take; each is sent again."),
  HEALTH_WRITES(
      "middleware.health.writes",
      Type.COUNTER,
      "watcher",
      "Statuses written, by the kind of the object.",
      "kind"),
  ENDPOINT_WRITES(
      "middleware.endpoint.writes",
      Type.COUNTER,
      "watcher",
      "Writes of the EndpointSlices behind the Services that follow a role."),
  METADATA_WRITES(
      "middleware.metadata.writes",
      Type.COUNTER,
      "watcher",
      "Writes of the ConfigMaps middleware-metadata."),
  ROLE_QUESTIONS(
      "middleware.role.questions",
      Type.COUNTER,
      "watcher",
      "Agents asked for the role of their pod, by whether they answered.",
      "answered"),
  WATCHER_LEADING(
      "middleware.watcher.leading",
      Type.GAUGE,
      "watcher",
      "1 while this watcher leads, otherwise 0."),
  CHANGES(
      "middleware.changes",
      Type.COUNTER,
      "worker",
      "Changes that have ended, by how they ended.",
      "outcome"),
  CHANGE_DURATION(
      "middleware.change.duration",
      Type.TIMER,
      "worker",
      "Time from the start of a change to its end, pauses and approvals included.",
      "outcome") {
    @Override
    List<Duration> buckets() {
      return List.of(
          Duration.ofSeconds(2),
          Duration.ofSeconds(10),
          Duration.ofMinutes(1),
          Duration.ofMinutes(5),
          Duration.ofMinutes(30),
          Duration.ofHours(2));
    }
  },
  TASKS(
      "middleware.tasks",
      Type.COUNTER,
      "worker",
      "Tasks that have ended, by type and by how they ended.",
      "type",
      "outcome"),
  OPERATIONS(
      "middleware.operations",
      Type.COUNTER,
      "watcher, worker",
      "Operations that have ended, by what they do and by how they ended; the watcher counts those that end without a run.",
      "action",
      "outcome"),
  BACKUP_COPIES_KEPT(
      "middleware.backup.copies.kept",
      Type.COUNTER,
      "worker",
      "Copies that stay in their stores although their Backup is removed, such as of a namespace that was deleted."),
  STEP_OVERHEAD(
      "middleware.step.overhead",
      Type.TIMER,
      "worker",
      "Time from a pod's readiness to the eviction of the next pod of its group.") {
    @Override
    List<Duration> buckets() {
      return List.of(
          Duration.ofMillis(10),
          Duration.ofMillis(20),
          Duration.ofMillis(50),
          Duration.ofMillis(200),
          Duration.ofSeconds(1),
          Duration.ofSeconds(5));
    }
  };

  /** What a metric is; a timer is a histogram in seconds. */
  public enum Type {
    COUNTER,
    GAUGE,
    TIMER
  }

  private final String id;
  private final Type type;
  private final List<String> processes;
  private final String help;
  private final List<String> tags;

  EngineMetric(String id, Type type, String processes, String help, String... tags) {
    this.id = id;
    this.type = type;
    this.processes = List.of(processes.split(", "));
    this.help = help;
    this.tags = List.of(tags);
  }

  /**
   * The counter with these values of its tags.
   *
   * @param values in the order in which the tags are declared
   */
  public Counter counter(MeterRegistry registry, String... values) {
    return Counter.builder(id).description(help).tags(tags(values)).register(registry);
  }

  /** The timer with these values of its tags. */
  public Timer timer(MeterRegistry registry, String... values) {
    return Timer.builder(id)
        .description(help)
        .tags(tags(values))
        .serviceLevelObjectives(buckets().toArray(Duration[]::new))
        .register(registry);
  }

  /** Registers a gauge that is read when metrics are scraped; the source must be kept by others. */
  public <T> void gauge(
      MeterRegistry registry, T source, ToDoubleFunction<T> value, String... values) {
    Gauge.builder(id, source, value).description(help).tags(tags(values)).register(registry);
  }

  /** Upper bounds of the histogram of a timer. */
  List<Duration> buckets() {
    return List.of();
  }

  String id() {
    return id;
  }

  Type type() {
    return type;
  }

  /** Those that count or measure it. */
  List<String> processes() {
    return processes;
  }

  String help() {
    return help;
  }

  List<String> tags() {
    return tags;
  }

  private Tags tags(String... values) {
    if (values.length != tags.size()) {
      throw new IllegalArgumentException(
          "metric %s has the tags %s, but got %d values".formatted(id, tags, values.length));
    }
    var pairs = new ArrayList<String>();
    for (int i = 0; i < values.length; i++) {
      pairs.add(tags.get(i));
      pairs.add(values[i]);
    }
    return Tags.of(pairs.toArray(String[]::new));
  }
}
