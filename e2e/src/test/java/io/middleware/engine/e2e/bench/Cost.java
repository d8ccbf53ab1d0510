package io.middleware.engine.e2e.bench;

import io.middleware.engine.e2e.Engine;
import io.middleware.engine.e2e.bench.Fleet.Shape;
import java.io.IOException;
import java.util.List;

/**
 * P7: what one small change costs Temporal's server and the worker in CPU time. Some Apps are
 * changed at a time, so that what the processes use while they idle counts for little.
 */
final class Cost {
  private static final int APPS = 10;
  private static final int WAVES = 4;
  private static final List<String> VERSIONS = List.of("7.2", "7.0");

  private final Figures figures;

  Cost(Figures figures) {
    this.figures = figures;
  }

  void run(int runs) throws IOException, InterruptedException {
    try (var fleet = new Fleet("bench-cost")) {
      wave(fleet, "7.0");
      change(fleet);
      for (int run = 0; run < runs; run++) {
        var server = Machine.cpu(Engine.pid("temporal"));
        var worker = Machine.cpu(Engine.pid("worker"));
        change(fleet);
        figures.add("P7.server", each(Machine.cpu(Engine.pid("temporal")) - server));
        figures.add("P7.worker", each(Machine.cpu(Engine.pid("worker")) - worker));
      }
    }
  }

  private static double each(double all) {
    return all / (APPS * WAVES);
  }

  private static void change(Fleet fleet) {
    for (int i = 0; i < WAVES; i++) {
      wave(fleet, VERSIONS.get(i % VERSIONS.size()));
    }
  }

  /** Each ends before the next, so that each is a change of its own. */
  private static void wave(Fleet fleet, String version) {
    for (int app = 0; app < APPS; app++) {
      fleet.apply("app-" + app, Shape.S, version);
    }
    fleet.awaitReady(APPS);
  }
}
