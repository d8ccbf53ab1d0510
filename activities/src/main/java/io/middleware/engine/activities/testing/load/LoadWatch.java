package io.middleware.engine.activities.testing.load;

import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.workflows.testing.port.LoadTestActivities.LoadCounts;
import io.middleware.engine.workflows.testing.port.LoadTestActivities.LoadResult;
import io.temporal.client.ActivityCanceledException;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Watches a load until its end.
 *
 * <ol>
 *   <li>Make the check that is due, and count it. Too many failures in a row end the load.
 *   <li>Look at the Jobs of the workload. One that has failed ends the load, as does the last one
 *       that completes.
 *   <li>End when the duration is over.
 *   <li>Wait until the next check is due, a second at most, and begin again at 1.
 * </ol>
 *
 * <p>While the API server does not answer, nothing is counted, and the pauses grow.
 */
final class LoadWatch {
  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(8);

  /** Often enough to hear of a cancel soon. */
  private static final Duration BETWEEN_HEARTBEATS = Duration.ofMillis(250);

  private final LoadChecking checking;
  private final WorkloadJobs jobs;
  private final LoadAttempt attempt;
  private final InstantSource clock;
  private LoadCounts counts;
  private Duration pause = PAUSE;

  LoadWatch(LoadChecking checking, WorkloadJobs jobs, LoadAttempt attempt, InstantSource clock) {
    this.checking = checking;
    this.jobs = jobs;
    this.attempt = attempt;
    this.clock = clock;
    this.counts = attempt.earlierCounts().orElse(LoadCounts.NONE);
  }

  LoadResult run() {
    try {
      attempt.heartbeat(counts); // those of the attempt before would be lost with this one
      var why = untilEnd();
      return new LoadResult(counts, false, why);
    } catch (ActivityCanceledException e) {
      return new LoadResult(checking.checkedOnce(counts), true, "it was stopped");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Faults.of(FaultKind.UNAVAILABLE, "interrupted while the load runs");
    }
  }

  private String untilEnd() throws InterruptedException {
    var known = false;
    while (true) {
      try {
        if (!known) {
          counts = checking.counts().orElse(counts);
          known = true;
        }
        var end = look();
        if (end.isPresent()) {
          return end.get();
        }
        pause = PAUSE;
        sleep(untilNext());
      } catch (ApplicationFailure e) {
        if (e.isNonRetryable()) {
          throw e;
        }
        known = false;
        pause = shorter(pause.multipliedBy(2), LONGEST_PAUSE);
        sleep(pause);
      }
    }
  }

  /** Returns why the load has ended; empty when it has not. */
  private Optional<String> look() {
    var now = clock.instant();
    counts = checking.check(counts, now);
    var end =
        jobs.haveCompleted()
            ? Optional.of("all Jobs of the workload have completed")
            : checking.over(now);
    if (end.isPresent()) {
      counts = checking.lastCheck(counts, now);
    }
    return end;
  }

  private Duration untilNext() {
    var now = clock.instant();
    return checking
        .next(now)
        .map(next -> shorter(Duration.between(now, next), PAUSE))
        .orElse(PAUSE);
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private void sleep(Duration time) throws InterruptedException {
    var end = clock.instant().plus(time);
    Duration left;
    do {
      attempt.heartbeat(counts);
      left = Duration.between(clock.instant(), end);
      if (left.isPositive()) {
        Thread.sleep(shorter(left, BETWEEN_HEARTBEATS));
      }
    } while (clock.instant().isBefore(end));
  }
}
