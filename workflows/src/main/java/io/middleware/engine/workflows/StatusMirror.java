package io.middleware.engine.workflows;

import static io.middleware.engine.workflows.ActivityPolicy.brief;
import static io.middleware.engine.workflows.ActivityPolicy.once;
import static io.middleware.engine.workflows.ActivityPolicy.patient;

import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.workflows.port.ChangeProgress;
import io.middleware.engine.workflows.port.StatusActivities;
import io.temporal.failure.ActivityFailure;
import io.temporal.workflow.Async;
import io.temporal.workflow.Promise;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Shows a change's progress in the App's status and in the Web UI: as it happens, in the long run
 * at most once a second, and at the end.
 */
final class StatusMirror {
  private static final long REST = Duration.ofSeconds(1).toMillis();

  /** A few writes follow each other at once: that one task ends and the next begins is seen so. */
  private static final long CREDIT = 4 * REST;

  private final StatusActivities status =
      Workflow.newLocalActivityStub(StatusActivities.class, brief("status"));
  private final Supplier<ChangeProgress> view;
  private Promise<Void> writer;
  private boolean dirty;
  private boolean closed;
  private long paidUntil;

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

  /**
   * Writes the last state and no more. If that does not succeed at once it becomes an activity,
   * which waits for the API server as long as it takes.
   */
  void close() {
    closed = true;
    writer.get();
    if (!write(lastLine())) {
      write(Workflow.newActivityStub(StatusActivities.class, patient("status")));
    }
  }

  /** The outcome as summary of the run's last step: nothing else of a continued run tells it. */
  private StatusActivities lastLine() {
    var outcome = view.get().end().map(end -> end.outcome().label()).orElse("unknown");
    return Workflow.newLocalActivityStub(StatusActivities.class, once("status " + outcome));
  }

  private void writeUntilClosed() {
    while (!closed) {
      Workflow.await(() -> dirty || closed);
      var rest = paidUntil - CREDIT - Workflow.currentTimeMillis();
      if (!closed && rest > 0) {
        Workflow.await(Duration.ofMillis(rest), () -> closed);
      }
      if (!closed) {
        dirty = false;
        paidUntil = Math.max(paidUntil, Workflow.currentTimeMillis()) + REST;
        write(status);
      }
    }
  }

  /** Whether there is no use in trying again. */
  private boolean write(StatusActivities status) {
    var progress = view.get();
    Workflow.setCurrentDetails(ChangeDetails.markdown(progress));
    try {
      status.report(progress);
      return true;
    } catch (ActivityFailure e) {
      var fault = FailureCauses.explain(e);
      Workflow.getLogger(StatusMirror.class).warn("status not written: {}", fault.message());
      return !FaultKind.isRetryable(fault.reason());
    }
  }
}
