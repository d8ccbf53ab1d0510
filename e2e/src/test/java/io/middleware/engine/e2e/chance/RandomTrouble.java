package io.middleware.engine.e2e.chance;

import io.middleware.engine.e2e.Engine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.awaitility.core.ConditionTimeoutException;

/**
 * Processes that die, stand still for 2 to 20 s, or lose what they knew, one after the other. Each
 * strike waits until the engine is ready again, and there are only so many: otherwise the engine
 * would never get to work on a slow machine.
 */
final class RandomTrouble implements AutoCloseable {
  private static final int LONGEST_PAUSE_MILLIS = 12_000;
  private static final List<String> ENGINE = List.of("worker", "watcher");
  private static final List<String> ALL =
      List.of("worker", "watcher", "temporal", "kube-apiserver");

  private final Random random;
  private final int mostStrikes;
  private final Path copy;
  private final Thread thread = new Thread(this::go, "trouble");
  private boolean kept;
  private volatile boolean over;

  /**
   * @param mostStrikes after which the trouble is over
   */
  RandomTrouble(long seed, int mostStrikes) {
    this.random = new Random(seed);
    this.mostStrikes = mostStrikes;
    try {
      copy = Files.createTempDirectory("temporal-data");
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  void start() {
    thread.start();
  }

  @Override
  public void close() {
    over = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private void go() {
    for (int strikes = 0; strikes < mostStrikes && !over; strikes++) {
      try {
        Engine.awaitReady(Engine.variable("WORKER_URL"));
        Engine.awaitReady(Engine.variable("WATCHER_URL"));
        Thread.sleep(4000 + random.nextInt(LONGEST_PAUSE_MILLIS));
        strike();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      } catch (IllegalStateException | ConditionTimeoutException e) {
        System.out.println("(" + e.getMessage() + ")"); // it is being started just now
      }
    }
  }

  private void strike() {
    switch (random.nextInt(8)) {
      case 0, 1, 2 -> kill(ENGINE.get(random.nextInt(ENGINE.size())));
      case 3, 4 -> freeze(ALL.get(random.nextInt(ALL.size())), 2 + random.nextInt(4));
      case 5 -> freeze(ENGINE.get(random.nextInt(ENGINE.size())), 2 + random.nextInt(19));
      case 6 -> keep();
      default -> restore();
    }
  }

  private void kill(String process) {
    System.out.println("kill " + process);
    Engine.kill(process);
  }

  private void freeze(String process, int seconds) {
    System.out.println("freeze %s for %d s".formatted(process, seconds));
    Engine.freeze(process, Duration.ofSeconds(seconds));
  }

  private void keep() {
    System.out.println("copy Temporal's data");
    Engine.dev("lib/temporal-data", "keep", copy.toString());
    kept = true;
  }

  private void restore() {
    if (!kept) {
      return;
    }
    System.out.println("restore Temporal's data");
    Engine.dev("lib/temporal-data", "restore", copy.toString());
  }
}
