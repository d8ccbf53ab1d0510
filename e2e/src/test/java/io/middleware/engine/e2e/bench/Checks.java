package io.middleware.engine.e2e.bench;

import io.middleware.engine.e2e.bench.Fleet.Shape;

/**
 * P6.check: history events that one check after each group adds to a change of S, for each group:
 * of a check that holds at once, and of one that is waited for, as it must hold for a second.
 */
final class Checks {
  private static final String HOLDS = "{name: whole, allOf: [{cel: \"replicas > 0\"}]}";
  private static final String WAITS = "{name: whole, for: 1s, allOf: [{cel: \"replicas > 0\"}]}";

  private final Figures figures;

  Checks(Figures figures) {
    this.figures = figures;
  }

  void run() throws Exception {
    try (var fleet = new Fleet("bench-checks")) {
      var plain = events(fleet, "plain", "");
      figures.add("P6.check.holds", events(fleet, "holds", HOLDS) - plain);
      figures.add("P6.check.waits", events(fleet, "waits", WAITS) - plain);
    }
  }

  private static int events(Fleet fleet, String app, String check) {
    fleet.applyChecked(app, Shape.S, "7.0", check);
    fleet.awaitReady(app);
    Changes.awaitQuiet(fleet, app);
    fleet.applyChecked(app, Shape.S, "7.2", check);
    fleet.awaitReady(app);
    Changes.awaitQuiet(fleet, app);
    return Changes.events(fleet, app).size();
  }
}
