package io.middleware.engine.process.objects;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Repeats the update of an object until no other write comes between its read and its write.
 *
 * @param attempts in all
 * @param longestPause after a write conflict; each pause is random, so that writers do not meet
 *     again
 */
public record OptimisticUpdate(int attempts, Duration longestPause) {
  /** Of an object that has few writers. */
  public static final OptimisticUpdate FEW_WRITERS = new OptimisticUpdate(8, Duration.ZERO);

  /** Of an object that many steps write at the same time. */
  public static final OptimisticUpdate MANY_WRITERS =
      new OptimisticUpdate(30, Duration.ofMillis(100));

  /**
   * Reads the object, and writes what {@code next} makes of it.
   *
   * @param read empty when the object is gone
   * @param next empty when nothing is to be written; called again after a write conflict
   * @param write onto the object that was read; empty after a write conflict
   * @param failure thrown when each attempt has met a conflict
   * @return what the write has returned; empty when the object is gone, or nothing was written
   */
  public <T, S, W> Optional<W> update(
      Supplier<Optional<T>> read,
      Function<T, Optional<S>> next,
      BiFunction<T, S, Optional<W>> write,
      Supplier<? extends RuntimeException> failure) {
    return retry(
        () -> {
          var found = read.get();
          var desired = found.flatMap(next);
          return desired.isEmpty()
              ? Optional.of(Optional.empty())
              : write.apply(found.get(), desired.get()).map(Optional::of);
        },
        failure);
  }

  /**
   * @param attempt reads and writes; empty after a write conflict
   * @param failure thrown when each attempt has met a conflict
   */
  public <W> W retry(Supplier<Optional<W>> attempt, Supplier<? extends RuntimeException> failure) {
    for (var i = 0; i < attempts; i++) {
      var written = attempt.get();
      if (written.isPresent()) {
        return written.get();
      }
      LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(longestPause.toNanos() + 1));
    }
    throw failure.get();
  }
}
