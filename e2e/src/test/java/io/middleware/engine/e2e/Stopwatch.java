package io.middleware.engine.e2e;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.Callable;

/** How long something takes to be seen. */
public final class Stopwatch {
  private static final Duration INTERVAL = Duration.ofMillis(20);

  private Stopwatch() {}

  /** From now on. A condition that fails with an exception does not hold yet. */
  public static double secondsUntil(String what, Callable<Boolean> condition) {
    var begin = System.nanoTime();
    await(what)
        .atMost(Shop.PATIENCE)
        .pollDelay(Duration.ZERO)
        .pollInterval(INTERVAL)
        .ignoreExceptions()
        .until(condition);
    return (System.nanoTime() - begin) / 1e9;
  }
}
