package io.middleware.engine.e2e.bench;

import io.middleware.engine.e2e.AuditLog;
import io.middleware.engine.e2e.Engine;
import io.middleware.engine.e2e.Temporal;
import io.middleware.engine.e2e.bench.Fleet.Shape;
import io.temporal.api.workflowservice.v1.DescribeWorkflowExecutionResponse;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * P8: the largest single history when every pod of a large component is replaced, and how the steps
 * and the processes do under it.
 */
final class Large {
  private static final Shape SHAPE = new Shape(1, 10, 10);
  private static final String APP = "app";

  private final Figures figures;

  Large(Figures figures) {
    this.figures = figures;
  }

  void run() throws Exception {
    try (var fleet = new Fleet("bench-large");
        var temporal = new Temporal()) {
      fleet.apply(APP, SHAPE, "7.0");
      fleet.awaitReady(APP);
      var steps = new Steps(fleet);
      var audit = AuditLog.fromNow();
      var begin = Instant.now();
      fleet.apply(APP, SHAPE, "7.2");
      fleet.awaitReady(APP);
      report(Duration.between(begin, Instant.now()), steps.overheads(audit, APP, begin));
      var histories =
          temporal
              .list("WorkflowId STARTS_WITH 'app/%s/%s'".formatted(fleet.namespace, APP))
              .stream()
              .map(run -> temporal.describe(run.getExecution()))
              .map(DescribeWorkflowExecutionResponse::getWorkflowExecutionInfo)
              .toList();
      figures.add(
          "P8.events",
          histories.stream().mapToLong(info -> info.getHistoryLength()).max().orElseThrow());
      figures.add(
          "P8.kib",
          histories.stream().mapToLong(info -> info.getHistorySizeBytes()).max().orElseThrow()
              / 1024.0);
    }
  }

  private static void report(Duration all, List<Double> overheads) throws IOException {
    System.err.printf(
        "    %d pods in %d s; between two pods p50 %.0f p99 %.0f ms; watcher %.0f, worker %.0f MiB%n",
        SHAPE.all(),
        all.toSeconds(),
        Figures.percentile(overheads, 50),
        Figures.percentile(overheads, 99),
        Machine.rss(Engine.pid("watcher")),
        Machine.rss(Engine.pid("worker")));
  }
}
