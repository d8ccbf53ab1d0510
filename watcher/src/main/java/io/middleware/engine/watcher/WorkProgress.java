package io.middleware.engine.watcher;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Whether work that has begun also ends. Every call of this work has a time limit, so that it ends
 * even when Temporal or the API server does not answer; threads that wait for each other never do.
 */
final class WorkProgress {
  private static final Duration LONGEST = Duration.ofMinutes(10);

  private final String work;
  private final LongSupplier nanoTime;
  private final Map<Object, Long> running = new ConcurrentHashMap<>();
  private volatile long lastEnd;

  /**
   * @param work in messages, for example {@code reconciliations}
   */
  WorkProgress(String work) {
    this(work, System::nanoTime);
  }

  WorkProgress(String work, LongSupplier nanoTime) {
    this.work = work;
    this.nanoTime = nanoTime;
    this.lastEnd = nanoTime.getAsLong();
  }

  <T> T during(Supplier<T> piece) {
    var token = new Object();
    running.put(token, nanoTime.getAsLong());
    try {
      return piece.get();
    } finally {
      lastEnd = nanoTime.getAsLong();
      running.remove(token);
    }
  }

  /** Says so when some of it runs, and none has ended for long. */
  Optional<String> problem() {
    var now = nanoTime.getAsLong();
    var oldest = running.values().stream().mapToLong(began -> now - began).max().orElse(0);
    var stuck = Duration.ofNanos(Math.min(oldest, now - lastEnd));
    return stuck.compareTo(LONGEST) <= 0
        ? Optional.empty()
        : Optional.of(
            "%d %s run, and none has ended for %d s"
                .formatted(running.size(), work, stuck.toSeconds()));
  }
}
