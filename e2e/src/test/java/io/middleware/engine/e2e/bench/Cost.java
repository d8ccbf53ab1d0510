package io.middleware.engine.e2e.bench;

import io.middleware.engine.e2e.Engine;
import io.middleware.engine.e2e.bench.Fleet.Shape;
import java.io.IOException;
import java.util.List;

/** P7: what one small change costs Temporal's server and the worker in CPU time. */
final class Cost {
  private static final int CHANGES = 40;
  private static final String APP = "app";
  private static final List<String> VERSIONS = List.of("7.2", "7.0");

  private final Figures figures;

  Cost(Figures figures) {
    this.figures = figures;
  }

  void run(int runs) throws IOException, InterruptedException {
    try (var fleet = new Fleet("bench-cost")) {
      fleet.apply(APP, Shape.S, "7.0");
      fleet.awaitReady(APP);
      change(fleet);
      for (int run = 0; run < runs; run++) {
        var server = Machine.cpu(Engine.pid("temporal"));
        var worker = Machine.cpu(Engine.pid("worker"));
        change(fleet);
        figures.add("P7.server", (Machine.cpu(Engine.pid("temporal")) - server) / CHANGES);
        figures.add("P7.worker", (Machine.cpu(Engine.pid("worker")) - worker) / CHANGES);
      }
    }
  }

  /** One after the other, so that each is a change of its own. */
  private static void change(Fleet fleet) {
    for (int i = 0; i < CHANGES; i++) {
      fleet.apply(APP, Shape.S, VERSIONS.get(i % VERSIONS.size()));
      fleet.awaitReady(APP);
    }
  }
}
