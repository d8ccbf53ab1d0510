package io.middleware.engine.activities.testing;

import io.middleware.engine.api.task.Backoff;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.Heartbeat;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Looks again and again until nothing is missing, or the time is over. A look that fails for a
 * moment, such as one that the API server does not answer, is repeated with growing pauses.
 */
public final class TestWait {
  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final Backoff BACKOFF = new Backoff(PAUSE, Duration.ofSeconds(8));

  private final Heartbeat heartbeat;
  private final InstantSource clock;
  private final Instant deadline;
  private final Consumer<String> progress;
  private Duration pause = PAUSE;

  /**
   * @param heartbeat is sent what is missing; may throw to end the wait
   * @param progress receives what is missing, as often as it is looked
   */
  public TestWait(
      Heartbeat heartbeat, InstantSource clock, Instant deadline, Consumer<String> progress) {
    this.heartbeat = heartbeat;
    this.clock = clock;
    this.deadline = deadline;
    this.progress = progress;
  }

  /** Whether the time is over. */
  public boolean isOver() {
    return !clock.instant().isBefore(deadline);
  }

  /**
   * Returns when nothing is missing, or the time is over.
   *
   * @param missing looks once, and says what is missing
   * @return what the last look has missed; empty when nothing
   * @throws ApplicationFailure of a look, unless it may pass by itself
   */
  public Optional<String> until(Supplier<Optional<String>> missing) {
    while (true) {
      var found = look(missing);
      if (found.isEmpty() || isOver()) {
        return found;
      }
      progress.accept(found.get());
      sleep(found.get());
    }
  }

  private Optional<String> look(Supplier<Optional<String>> missing) {
    try {
      var found = missing.get();
      pause = PAUSE;
      return found;
    } catch (ApplicationFailure e) {
      if (e.isNonRetryable()) {
        throw e;
      }
      pause = BACKOFF.next(pause);
      return Optional.of(e.getOriginalMessage());
    }
  }

  /** Often enough to hear of a cancel within a second. */
  private void sleep(String message) {
    var end = clock.instant().plus(pause);
    try {
      do {
        heartbeat.send(message);
        Thread.sleep(shorter(Duration.between(clock.instant(), end)));
      } while (clock.instant().isBefore(end) && !isOver());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Faults.of(FaultKind.UNAVAILABLE, "interrupted while waiting: " + message);
    }
  }

  private Duration shorter(Duration remaining) {
    var shortest = remaining.compareTo(PAUSE) < 0 ? remaining : PAUSE;
    var untilDeadline = Duration.between(clock.instant(), deadline);
    var result = shortest.compareTo(untilDeadline) < 0 ? shortest : untilDeadline;
    return result.isNegative() ? Duration.ZERO : result;
  }
}
