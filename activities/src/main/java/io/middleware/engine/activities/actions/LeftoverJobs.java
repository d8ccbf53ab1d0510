package io.middleware.engine.activities.actions;

import io.middleware.engine.activities.resources.ActionJobs;
import io.middleware.engine.api.App;
import io.middleware.engine.api.operation.ActionRun;
import io.middleware.engine.api.operation.Operation;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.AppKey;
import io.middleware.engine.cluster.ClusterView;
import io.middleware.engine.cluster.JobState;
import io.middleware.engine.cluster.Operations;
import io.middleware.engine.cluster.status.OperationLeftovers;
import io.middleware.engine.workflows.port.ChangeRef;
import io.temporal.failure.ApplicationFailure;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Ends the runs of an Operation that ends while its status says that they go on: the worker that
 * waited for them was gone when it was cancelled, or its App is being deleted. Jobs are deleted,
 * and the Operation does not end before their pods are gone, as the next change begins then. Agents
 * themselves terminate actions for which no worker waits.
 */
public final class LeftoverJobs implements OperationLeftovers {
  /** Written before the deletion: when this is done again, the Job may be gone. */
  private static final String BEING_TERMINATED = "it is being terminated, as its Operation ends";

  private final ClusterView view;
  private final ActionJobs jobs;
  private final Operations operations;
  private final InstantSource clock;

  public LeftoverJobs(
      ClusterView view, ActionJobs jobs, Operations operations, InstantSource clock) {
    this.view = view;
    this.jobs = jobs;
    this.operations = operations;
    this.clock = clock;
  }

  @Override
  public void stop(ChangeRef change, Operation operation) {
    var app =
        view.app(AppKey.of(change)).filter(it -> change.uid().equals(it.getMetadata().getUid()));
    Stream.ofNullable(operation.getStatus().runs())
        .flatMap(List::stream)
        .filter(ActionRun::isRunning)
        .forEach(run -> write(change, stopped(change, app, run)));
  }

  /** The run of an agent has the name of a pod, and of no Job. */
  private ActionRun stopped(ChangeRef change, Optional<App> app, ActionRun run) {
    if (app.isEmpty()) {
      return run.abandoned();
    }
    var job =
        jobs.find(change.namespace(), run.pod())
            .filter(it -> run.uid() == null || run.uid().equals(it.uid()));
    if (job.isPresent()) {
      var marked = run.by(job.get().uid()).saying(BEING_TERMINATED);
      write(change, marked);
      return marked.ended(ActionRun.CANCELLED, terminated(change, app.get(), job.get()));
    }
    if (BEING_TERMINATED.equals(run.message())) {
      return run.ended(ActionRun.CANCELLED, JobTermination.TERMINATED);
    }
    return run.uid() == null
        ? run.ended(ActionRun.FAILED, "its Job was not created")
        : run.abandoned();
  }

  /** The Operation ends also where the App's account may not delete the Job. */
  private String terminated(ChangeRef change, App app, JobState job) {
    try {
      return new JobTermination(jobs, change).attempt(app, job, clock.instant());
    } catch (ApplicationFailure e) {
      if (FaultKind.isRetryable(e.getType())) {
        throw e;
      }
      return "Job %s still runs, delete it by hand: %s"
          .formatted(job.name(), e.getOriginalMessage());
    }
  }

  private void write(ChangeRef change, ActionRun run) {
    operations.write(
        change,
        found -> found.hasEnded() ? Optional.empty() : Optional.of(found.getStatus().with(run)));
  }
}
