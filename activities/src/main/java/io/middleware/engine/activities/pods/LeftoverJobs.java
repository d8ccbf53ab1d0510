package io.middleware.engine.activities.pods;

import io.middleware.engine.activities.kubernetes.AppKey;
import io.middleware.engine.activities.kubernetes.ClusterView;
import io.middleware.engine.activities.kubernetes.JobState;
import io.middleware.engine.activities.kubernetes.Operations;
import io.middleware.engine.activities.resources.ActionJobs;
import io.middleware.engine.activities.status.OperationLeftovers;
import io.middleware.engine.api.ActionRun;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Operation;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.workflows.port.ChangeRef;
import io.temporal.failure.ApplicationFailure;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Deletes the Jobs of an Operation that ends while its status says that they run: the worker that
 * waited for them was gone when it was cancelled.
 */
public final class LeftoverJobs implements OperationLeftovers {
  private final ClusterView view;
  private final ActionJobs jobs;
  private final Operations operations;

  public LeftoverJobs(ClusterView view, ActionJobs jobs, Operations operations) {
    this.view = view;
    this.jobs = jobs;
    this.operations = operations;
  }

  @Override
  public void stop(ChangeRef change, Operation operation) {
    var running =
        Stream.ofNullable(operation.getStatus().runs())
            .flatMap(List::stream)
            .filter(ActionRun::isRunning)
            .toList();
    view.app(AppKey.of(change))
        .filter(app -> change.uid().equals(app.getMetadata().getUid()))
        .ifPresent(app -> running.forEach(run -> stop(change, app, run)));
  }

  /** The run of an agent has the name of a pod, and of no Job. */
  private void stop(ChangeRef change, App app, ActionRun run) {
    var job =
        jobs.find(change.namespace(), run.pod())
            .filter(it -> run.uid() == null || run.uid().equals(it.uid()));
    if (job.isPresent()) {
      write(change, run.ended(ActionRun.CANCELLED, deleted(app, job.get())));
    } else if (run.uid() == null) {
      write(change, run.ended(ActionRun.FAILED, "its Job was not created"));
    }
  }

  /** The Operation ends also where the App's account may not delete the Job. */
  private String deleted(App app, JobState job) {
    try {
      jobs.delete(app, job.name(), job.uid());
      return "it was terminated before it had ended";
    } catch (ApplicationFailure e) {
      if (FaultKind.isRetryable(e.getType())) {
        throw e;
      }
      return "Job %s still runs, delete it by hand: %s"
          .formatted(job.name(), e.getOriginalMessage());
    }
  }

  private void write(ChangeRef change, ActionRun ended) {
    operations.write(
        change,
        found -> found.hasEnded() ? Optional.empty() : Optional.of(found.getStatus().with(ended)));
  }
}
