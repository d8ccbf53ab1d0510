package io.middleware.engine.workflows;

import static io.middleware.engine.workflows.ActivityPolicy.brief;
import static io.middleware.engine.workflows.ActivityPolicy.once;
import static io.middleware.engine.workflows.ActivityPolicy.patient;

import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.workflows.port.ChangeProgress;
import io.middleware.engine.workflows.port.StatusActivities;
import io.temporal.activity.LocalActivityOptions;
import io.temporal.failure.ActivityFailure;
import io.temporal.workflow.Async;
import io.temporal.workflow.Promise;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Shows a change's progress in the App's status and in the Web UI: at once, but at most once a
 * second on average, and at the end.
 */
final class StatusMirror {
  private static final long INTERVAL = Duration.ofSeconds(1).toMillis();

  /** A few writes may follow each other at once, so that people see each task begin and end. */
  private static final long CREDIT = 4 * INTERVAL;

  private final Supplier<ChangeProgress> view;
  private Promise<Void> writer;
  private boolean dirty;
  private boolean closed;
  private long paidUntil;

  StatusMirror(Supplier<ChangeProgress> view) {
    this.view = view;
  }

  /** The progress has changed. */
  void touch() {
    dirty = true;
  }

  /** Begins to write; a cancel of the run does not stop it. */
  void open() {
    Workflow.newDetachedCancellationScope(() -> writer = Async.procedure(this::writeUntilClosed))
        .run();
  }

  /**
   * Writes the final state and nothing after it. If the first try fails, an activity takes over and
   * waits for the API server as long as it takes.
   */
  void close() {
    closed = true;
    writer.get();
    if (!write(summary -> local(once(summary)))) {
      write(summary -> Workflow.newActivityStub(StatusActivities.class, patient(summary)));
    }
  }

  private void writeUntilClosed() {
    while (!closed) {
      Workflow.await(() -> dirty || closed);
      var pause = paidUntil - CREDIT - Workflow.currentTimeMillis();
      if (!closed && pause > 0) {
        NamedTimer.await(
            Duration.ofMillis(pause), "pause between two writes of the status", () -> closed);
      }
      if (!closed) {
        dirty = false;
        paidUntil = Math.max(paidUntil, Workflow.currentTimeMillis()) + INTERVAL;
        write(summary -> local(brief(summary)));
      }
    }
  }

  private static StatusActivities local(LocalActivityOptions options) {
    return Workflow.newLocalActivityStub(StatusActivities.class, options);
  }

  /**
   * @param activities by the summary of the write
   * @return whether another try is of no use
   */
  private boolean write(Function<String, StatusActivities> activities) {
    var progress = view.get();
    Workflow.setCurrentDetails(ChangeDetails.markdown(progress));
    try {
      activities.apply("status: " + ChangeDetails.summary(progress)).report(progress);
      return true;
    } catch (ActivityFailure e) {
      var fault = FailureCauses.explain(e);
      Workflow.getLogger(StatusMirror.class).warn("status not written: {}", fault.message());
      return !FaultKind.isRetryable(fault.reason());
    }
  }
}
