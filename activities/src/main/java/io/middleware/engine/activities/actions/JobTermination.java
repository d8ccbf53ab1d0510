package io.middleware.engine.activities.actions;

import io.middleware.engine.activities.resources.ActionJobs;
import io.middleware.engine.api.App;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.AppKey;
import io.middleware.engine.cluster.ClusterWaiter;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.JobState;
import io.middleware.engine.workflows.port.ChangeRef;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Ends a Job before its time. Its pods may work on the data until their grace time is over, so that
 * nothing else may begin before they are gone. A node that is away does not hold this up for ever.
 */
final class JobTermination {
  /** After the grace time: for the node to end the containers, and for the pods to be removed. */
  private static final Duration REMOVAL = Duration.ofSeconds(10);

  /** The clocks of a worker and of the API server may differ by so much. */
  private static final Duration CLOCK_SKEW = Duration.ofMinutes(1);

  /** How a run has ended of whose Job nothing is left. */
  static final String TERMINATED = "it was terminated before it had ended";

  private final ActionJobs jobs;
  private final ChangeRef change;
  private final Duration removal;

  JobTermination(ActionJobs jobs, ChangeRef change) {
    this(jobs, change, REMOVAL);
  }

  /**
   * @param removal how long the pods may take to be removed after their grace time
   */
  JobTermination(ActionJobs jobs, ChangeRef change, Duration removal) {
    this.jobs = jobs;
    this.change = change;
    this.removal = removal;
  }

  /**
   * Deletes the Job with its pods, and waits until they are gone.
   *
   * @param waiter that no cancel ends
   * @return how the run has ended, for people
   */
  String run(App app, JobState job, ClusterWaiter waiter) {
    jobs.delete(app, job.name(), job.uid());
    return ended(
        waiter.until(AppKey.of(change), patience(job), () -> remains(job.name(), job.uid())));
  }

  /**
   * One attempt at the same, without the wait.
   *
   * @param now by the clock of this process
   * @return how the run has ended, for people
   * @throws io.temporal.failure.ApplicationFailure of kind UNAVAILABLE while its pods may still be
   *     at work: to be called again
   */
  String attempt(App app, JobState job, Instant now) {
    jobs.delete(app, job.name(), job.uid());
    var left = remains(job.name(), job.uid());
    if (left.isPresent() && !isTimeOver(job, now)) {
      throw Faults.of(FaultKind.UNAVAILABLE, left.get());
    }
    return ended(left);
  }

  private boolean isTimeOver(JobState job, Instant now) {
    return job.deletedAt()
        .map(at -> at.plus(patience(job)).plus(CLOCK_SKEW))
        .filter(now::isAfter)
        .isPresent();
  }

  private Optional<String> remains(String name, String uid) {
    return jobs.remains(change.namespace(), change.app(), name, uid);
  }

  private Duration patience(JobState job) {
    return job.grace().plus(removal);
  }

  private static String ended(Optional<String> left) {
    return TERMINATED
        + left.map(what -> "; its grace period is over, and it may still be running: " + what)
            .orElse("");
  }
}
