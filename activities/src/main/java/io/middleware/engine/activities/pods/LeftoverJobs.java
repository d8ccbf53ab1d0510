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
import io.middleware.engine.workflows.port.ChangeRef;
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
    jobs.find(change.namespace(), run.pod())
        .filter(job -> run.uid() == null || run.uid().equals(job.uid()))
        .ifPresent(job -> stop(change, app, run, job));
  }

  private void stop(ChangeRef change, App app, ActionRun run, JobState job) {
    jobs.delete(app, job.name(), job.uid());
    var cancelled = run.ended(ActionRun.CANCELLED, "it was terminated before it had ended");
    operations.write(
        change,
        found ->
            found.hasEnded() ? Optional.empty() : Optional.of(found.getStatus().with(cancelled)));
  }
}
