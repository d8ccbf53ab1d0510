package io.middleware.engine.process;

import static java.util.stream.Collectors.joining;

import java.util.Arrays;
import java.util.List;

/** The page that describes every metric of the engine, made from what {@link EngineMetric} says. */
final class MetricsReference {
  private static final String HEAD =
      """
      # Metrics

      <!-- generated from EngineMetric by MetricsReferenceTest; do not edit -->

      Watcher and worker serve their metrics at `/metrics` on port 8080, in the format of Prometheus. A process has at most 1500 series.

      """;

  private static final String LIBRARIES =
      """

      ## Of libraries

      | name begins with | process | where it is described |
      |---|---|---|
      | `temporal_` | both | [the Temporal SDK](https://docs.temporal.io/references/sdk-metrics); timers have six buckets, from 10 ms to 30 s, and no label `workflow_type`; `activity_type` only where they measure execution |
      | `reconciliations_`, `events_received_`, `custom_resources` | watcher | [the Java Operator SDK](https://javaoperatorsdk.io/docs/documentation/observability/) |
      | `jvm_`, `process_`, `system_`, `logback_` | both | [Micrometer](https://docs.micrometer.io/micrometer/reference/reference/jvm.html) |

      Those that tell most: `temporal_workflow_task_execution_failed_total` (a worker cannot carry a run on),
      `temporal_workflow_task_schedule_to_start_latency_seconds` (runs wait for a worker), `temporal_request_failure_total` (calls to Temporal that
      failed), `reconciliations_queue` (Apps that wait to be looked at).
      """;

  private MetricsReference() {}

  static String page() {
    return HEAD + section("watcher") + "\n" + section("worker") + LIBRARIES;
  }

  /** The names under which Prometheus has the metric. */
  static List<String> names(EngineMetric metric) {
    var name = metric.id().replace('.', '_');
    return switch (metric.type()) {
      case COUNTER -> List.of(name + "_total");
      case GAUGE -> List.of(name);
      case TIMER -> List.of(name + "_seconds");
    };
  }

  private static String section(String process) {
    return Arrays.stream(EngineMetric.values())
        .filter(metric -> metric.processes().contains(process))
        .map(MetricsReference::row)
        .collect(
            joining(
                "",
                "## Of the %s\n\n| name | type | labels | meaning |\n|---|---|---|---|\n"
                    .formatted(process),
                ""));
  }

  private static String row(EngineMetric metric) {
    return "| `%s` | %s | %s | %s |\n"
        .formatted(
            String.join("`, `", names(metric)),
            switch (metric.type()) {
              case COUNTER -> "counter";
              case GAUGE -> "gauge";
              case TIMER -> "histogram";
            },
            metric.tags().stream().map("`%s`"::formatted).collect(joining(", ")),
            metric.help());
  }
}
