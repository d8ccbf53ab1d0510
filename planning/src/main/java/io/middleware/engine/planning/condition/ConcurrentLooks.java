package io.middleware.engine.planning.condition;

import io.middleware.engine.cluster.Faults;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;

/** Looks that are taken at the same time: each may wait for a server. */
public final class ConcurrentLooks {
  private static final int CONCURRENCY = 16;

  private ConcurrentLooks() {}

  /** The results in the order of the looks; throws what the first that failed has thrown. */
  public static <T> List<T> results(List<Callable<T>> looks) throws InterruptedException {
    try (var threads = Executors.newFixedThreadPool(CONCURRENCY, Thread.ofVirtual().factory())) {
      return threads.invokeAll(looks).stream().map(Faults::result).toList();
    }
  }
}
