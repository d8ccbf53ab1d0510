package io.middleware.engine.e2e.bench;

import static org.awaitility.Awaitility.await;

import io.middleware.engine.api.App;
import io.middleware.engine.e2e.bench.Fleet.Shape;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Locale;
import java.util.Queue;

/**
 * P4: how many changes a second are carried out for a minute without a growing backlog.
 *
 * <p>Changes are begun at a fixed rate, whatever becomes of them, each on an App at rest. A rate is
 * sustained when at the end no more changes are open than in the middle, but for a second's worth.
 * From a quarter above the goal the rate is halved until it is sustained; then the interval to the
 * lowest rate that was not is halved until it is narrow.
 */
final class Sustained {
  private static final Duration MINUTE = Duration.ofSeconds(60);
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final double LOWEST = 0.1;

  /** When the rate found is so much of the lowest one that was not sustained, it is enough. */
  private static final double NARROW = 0.88;

  private final Figures figures;

  Sustained(Figures figures) {
    this.figures = figures;
  }

  void run() throws IOException, InterruptedException {
    measure("P4.S", Shape.S, 120, 12.5);
    measure("P4.M", Shape.M, 40, 3);
  }

  private void measure(String key, Shape shape, int apps, double first)
      throws IOException, InterruptedException {
    try (var fleet = new Fleet("bench-sustained-" + key.substring(3).toLowerCase(Locale.ROOT))) {
      fleet.apply(0, apps, shape);
      fleet.awaitReady(apps);
      var load = new Load(fleet, shape, apps);
      var sustained = 0.0;
      var ceiling = first;
      for (var rate = first;
          rate > LOWEST && sustained < NARROW * ceiling;
          rate = (sustained + ceiling) / 2) {
        if (load.isSustained(rate)) {
          sustained = rate;
        } else {
          ceiling = rate;
        }
        load.awaitRest();
      }
      figures.add(key, sustained);
    }
  }

  /** Changes begun at a fixed rate. */
  private static final class Load {
    private final Fleet fleet;
    private final Shape shape;
    private final Queue<Integer> resting = new ArrayDeque<>();
    private final String[] versions;

    Load(Fleet fleet, Shape shape, int apps) {
      this.fleet = fleet;
      this.shape = shape;
      this.versions = new String[apps];
      Arrays.fill(versions, "7.0");
      refill();
    }

    boolean isSustained(double rate) throws InterruptedException {
      var middle = 0;
      var pause = Duration.ofNanos((long) (1e9 / rate));
      var begin = System.nanoTime();
      var changes = (int) (rate * MINUTE.toSeconds());
      for (int i = 0; i < changes; i++) {
        var due = begin + pause.multipliedBy(i).toNanos();
        Thread.sleep(Duration.ofNanos(Math.max(0, due - System.nanoTime())));
        if (resting.isEmpty() && !refill()) {
          System.err.printf("    %.2f/s: all Apps are being changed after %d%n", rate, i);
          return false;
        }
        change(resting.remove());
        if (i == changes / 2) {
          middle = open();
        }
      }
      var end = open();
      System.err.printf("    %.2f/s: %d open after 30 s, %d after 60 s%n", rate, middle, end);
      return end <= middle + Math.max(1, rate);
    }

    private void change(int app) {
      versions[app] = versions[app].equals("7.0") ? "7.2" : "7.0";
      fleet.apply("app-" + app, shape, versions[app]);
    }

    /** The watch may be behind, so the version is compared as well. */
    private boolean isAtRest(App app) {
      return Fleet.isReady(app) && app.getSpec().runtime().version().equals(versions[number(app)]);
    }

    private int open() {
      return (int) fleet.apps().stream().filter(app -> !isAtRest(app)).count();
    }

    void awaitRest() {
      await().atMost(PATIENCE).until(() -> open() == 0);
    }

    /** Those that are at rest now; none when all are being changed. */
    private boolean refill() {
      fleet.apps().stream().filter(this::isAtRest).map(Load::number).forEach(resting::add);
      return !resting.isEmpty();
    }

    private static int number(App app) {
      return Integer.parseInt(app.getMetadata().getName().substring("app-".length()));
    }
  }
}
