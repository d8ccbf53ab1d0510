package io.middleware.engine.workflows;

import static io.middleware.engine.workflows.ActivityPolicy.brief;
import static io.middleware.engine.workflows.ActivityPolicy.patient;

import io.middleware.engine.workflows.port.ChangeProgress;
import io.middleware.engine.workflows.port.StatusActivities;
import io.temporal.failure.ActivityFailure;
import io.temporal.workflow.Async;
import io.temporal.workflow.Promise;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Shows a change's progress in the App's status and in the Web UI, at most once a second and at the
 * end.
 */
final class StatusMirror {
  private static final Duration REST = Duration.ofSeconds(1);

  private final StatusActivities status =
      Workflow.newLocalActivityStub(StatusActivities.class, brief("status"));
  private final Supplier<ChangeProgress> view;
  private Promise<Void> writer;
  private boolean dirty;
  private boolean closed;
  private long writtenAt;

  StatusMirror(Supplier<ChangeProgress> view) {
    this.view = view;
  }

  /** Something is different. */
  void touch() {
    dirty = true;
  }

  /** Begins to write; outlives a cancel of the run. */
  void open() {
    Workflow.newDetachedCancellationScope(() -> writer = Async.procedure(this::writeUntilClosed))
        .run();
  }

  /** Writes the last state and no more; waits for the API server as long as it takes. */
  void close() {
    closed = true;
    writer.get();
    var progress = view.get();
    var outcome = progress.end().map(end -> end.outcome().label()).orElse("");
    write(Workflow.newActivityStub(StatusActivities.class, patient("status " + outcome)), progress);
  }

  private void writeUntilClosed() {
    while (!closed) {
      Workflow.await(() -> dirty || closed);
      var rest = REST.minusMillis(Workflow.currentTimeMillis() - writtenAt);
      if (!closed && rest.isPositive()) {
        Workflow.await(rest, () -> closed);
      }
      if (!closed) {
        dirty = false;
        writtenAt = Workflow.currentTimeMillis();
        write(status, view.get());
      }
    }
  }

  private static void write(StatusActivities status, ChangeProgress progress) {
    Workflow.setCurrentDetails(ChangeDetails.markdown(progress));
    try {
      status.report(progress);
    } catch (ActivityFailure e) {
      Workflow.getLogger(StatusMirror.class)
          .warn("status not written: {}", Failures.explain(e).message());
    }
  }
}
