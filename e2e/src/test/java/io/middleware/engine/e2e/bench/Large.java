package io.middleware.engine.e2e.bench;

import io.middleware.engine.e2e.Temporal;
import io.middleware.engine.e2e.bench.Fleet.Shape;
import io.temporal.api.workflowservice.v1.DescribeWorkflowExecutionResponse;

/** P8: the largest single history when every pod of a large component is replaced. */
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
      fleet.apply(APP, SHAPE, "7.2");
      fleet.awaitReady(APP);
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
}
