package io.middleware.engine.e2e.bench;

import io.middleware.engine.e2e.bench.Fleet.Shape;

/** P5: many small Apps applied at once, until all are Ready; P16: what 500 cost besides CPU. */
final class Crowd {
  private static final int COUNTED = 500;

  private final Figures figures;

  Crowd(Figures figures) {
    this.figures = figures;
  }

  /** Of all sizes, or of the smallest alone. */
  void run(int runs, boolean all) throws Exception {
    try (var fleet = new Fleet("bench-crowd-warm-up")) {
      fleet.apply(0, 100, Shape.S);
      fleet.awaitReady(100);
    }
    for (int size : all ? new int[] {100, 500, 1000} : new int[] {100}) {
      for (int run = 0; run < (size == 100 ? runs : 1); run++) {
        try (var fleet = new Fleet("bench-crowd-" + size + "-" + run)) {
          var before = Counters.now();
          var begin = System.nanoTime();
          fleet.apply(0, size, Shape.S);
          fleet.awaitReady(size);
          figures.add("P5." + size, (System.nanoTime() - begin) / 1e9);
          if (size == COUNTED) {
            count(Counters.now().since(before));
          }
        }
      }
    }
  }

  private void count(Counters counters) {
    figures.add("P16.heartbeats", counters.heartbeats() / COUNTED);
    figures.add("P16.tasktimeouts", counters.taskTimeouts() / COUNTED);
    figures.add("P16.evicted", counters.evicted() / COUNTED);
  }
}
