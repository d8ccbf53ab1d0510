package io.middleware.engine.e2e.chance;

import io.middleware.engine.e2e.NeedlessReplacements;
import io.middleware.engine.e2e.RandomApp;
import io.middleware.engine.e2e.Shop;
import io.middleware.engine.e2e.Temporal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Many Apps at once are edited, cancelled, terminated and reset at random, while processes are
 * killed, stand still, and Temporal's data is restored from a copy.
 */
final class RandomSchedules {
  private static final int TOGETHER = 20;

  private final Shop shop;
  private final Temporal temporal;
  private final long firstSeed;
  private final int count;
  private final AtomicLong next;
  private final Collection<String> failures = new ConcurrentLinkedQueue<>();

  /**
   * @param firstSeed each schedule has a seed of its own, this one and those that follow: it
   *     decides what happens to an App and after which pause, not what the servers do meanwhile
   */
  RandomSchedules(Shop shop, Temporal temporal, int count, long firstSeed) {
    this.shop = shop;
    this.temporal = temporal;
    this.count = count;
    this.firstSeed = firstSeed;
    this.next = new AtomicLong(firstSeed);
  }

  /** Returns what was not as it should be; prints what it does. */
  List<String> run() {
    System.out.printf("%d schedules, first seed %d%n", count, firstSeed);
    shop.applyPlugin(RandomApp.plugin(shop));
    var began = Instant.now();
    try (var replacements = new NeedlessReplacements(shop)) {
      try (var trouble = new RandomTrouble(firstSeed, count / 2)) {
        trouble.start();
        liveTogether();
      }
      System.out.printf(
          "%d schedules in %d s, %d failed%n",
          count, Duration.between(began, Instant.now()).toSeconds(), failures.size());
      var found = new ArrayList<>(failures);
      found.addAll(replacements.found());
      return found;
    }
  }

  private void liveTogether() {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < TOGETHER; i++) {
        threads.submit(this::liveOneAfterTheOther);
      }
    }
  }

  private void liveOneAfterTheOther() {
    for (long seed = next.getAndIncrement();
        seed < firstSeed + count;
        seed = next.getAndIncrement()) {
      var app = new RandomApp(shop, temporal, seed);
      try {
        app.live();
        System.out.printf("seed %d: %s%n", seed, app.told());
      } catch (AssertionError | RuntimeException e) {
        var failure = "seed %d: %s%n%s%n%s".formatted(seed, app.told(), e, app.left());
        System.out.println("FAILED " + failure);
        failures.add(failure);
      }
    }
  }
}
