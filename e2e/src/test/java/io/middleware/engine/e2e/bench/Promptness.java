package io.middleware.engine.e2e.bench;

import io.middleware.engine.e2e.change.OvertakeTimes;
import io.middleware.engine.e2e.health.HealthTimes;
import io.middleware.engine.e2e.health.RoleTimes;
import io.middleware.engine.e2e.redis.RedisTimes;

/** P20: how soon people see what they have asked for, and what has happened. */
final class Promptness {
  private final Figures figures;

  Promptness(Figures figures) {
    this.figures = figures;
  }

  void run(int runs) throws InterruptedException {
    for (int run = 0; run < runs; run++) {
      OvertakeTimes.measure(figures::add);
      HealthTimes.measure(figures::add);
      RoleTimes.measure(figures::add);
    }
    if (RedisTimes.areMeasurable()) {
      RedisTimes.measureHotChanges(runs, figures::add);
      for (int run = 0; run < runs; run++) {
        RedisTimes.measureSwitchovers(figures::add);
      }
    } else {
      System.err.println("  P20.hot, P20.switchover: no redis-server here, dev/up says why");
    }
  }
}
