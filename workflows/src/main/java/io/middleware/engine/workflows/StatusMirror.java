package io.middleware.engine.workflows;

import static io.middleware.engine.workflows.temporal.ActivityPolicy.brief;
import static io.middleware.engine.workflows.temporal.ActivityPolicy.once;
import static io.middleware.engine.workflows.temporal.ActivityPolicy.patient;

import io.middleware.engine.api.task.Backoff;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.workflows.port.ChangeProgress;
import io.middleware.engine.workflows.port.StatusActivities;
import io.middleware.engine.workflows.temporal.FailureCauses;
import io.middleware.engine.workflows.temporal.NamedTimer;
import io.temporal.activity.LocalActivityOptions;
import io.temporal.failure.ActivityFailure;
import io.temporal.workflow.Async;
import io.temporal.workflow.Promise;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Shows a change's progress in the App's status and in the Web UI: at once, but at most once a
 * second on average, and at the end. What could not be written is written again until it is, unless
 * the App is another run's, or the API server finds the status invalid.
 *
 * <p>A write is a local activity, which holds back the commands of its workflow task. So a cancel
 * of steps goes out first.
 */
final class StatusMirror {
  private static final long INTERVAL = Duration.ofSeconds(1).toMillis();

  /** A few writes may follow each other at once, so that people see each task begin and end. */
  private static final long CREDIT = 4 * INTERVAL;

  /** After a write that failed. Only the first one includes retries, as each is in the history. */
  private static final Backoff BACKOFF = new Backoff(Duration.ofSeconds(2), Duration.ofMinutes(1));

  private final Supplier<ChangeProgress> view;
  private final Supplier<Integer> cancels;
  private int cancelsSent;
  private Optional<Boolean> cancelsFirst = Optional.empty();
  private Promise<Void> writer;
  private boolean dirty;
  private boolean closed;
  private long paidUntil;

  /**
   * @param cancels how many cancels of steps there are
   */
  StatusMirror(Supplier<ChangeProgress> view, Supplier<Integer> cancels) {
    this.view = view;
    this.cancels = cancels;
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
    var written = write(summary -> local(once(summary))) || writePatiently();
    while (!written && repeats()) {
      NamedTimer.await(BACKOFF.longest(), "pause before the status is written again");
      written = writePatiently();
    }
  }

  private boolean writePatiently() {
    return write(summary -> Workflow.newActivityStub(StatusActivities.class, patient(summary)));
  }

  private void writeUntilClosed() {
    Optional<Duration> retryPause = Optional.empty();
    while (!closed) {
      Workflow.await(() -> dirty || closed);
      pauseUnlessClosed(
          Duration.ofMillis(paidUntil - CREDIT - Workflow.currentTimeMillis()),
          "pause between two writes of the status");
      sendCancels();
      if (closed) {
        return;
      }
      dirty = false;
      paidUntil = Math.max(paidUntil, Workflow.currentTimeMillis()) + INTERVAL;
      var retried = retryPause.isPresent();
      if (write(summary -> local(retried ? once(summary) : brief(summary))) || !repeats()) {
        retryPause = Optional.empty();
      } else {
        dirty = true;
        retryPause = Optional.of(retryPause.map(BACKOFF::next).orElse(BACKOFF.first()));
        pauseUnlessClosed(retryPause.get(), "pause before the status is written again");
      }
    }
  }

  /** A timer ends the workflow task, and with it the cancels go out. */
  private void sendCancels() {
    if (!closed && cancels.get() > cancelsSent && sendsCancelsFirst()) {
      cancelsSent = cancels.get();
      NamedTimer.await(
          Duration.ofMillis(1), "the cancel of steps goes out before the status is written");
    }
  }

  /**
   * Asked once, at the first cancel: to ask gives way to other threads, in runs before this too.
   */
  private boolean sendsCancelsFirst() {
    if (cancelsFirst.isEmpty()) {
      cancelsFirst =
          Optional.of(
              Workflow.getVersion("cancel-before-status", Workflow.DEFAULT_VERSION, 1) >= 1);
    }
    return cancelsFirst.get();
  }

  private void pauseUnlessClosed(Duration pause, String purpose) {
    if (!closed && pause.isPositive()) {
      NamedTimer.await(pause, purpose, () -> closed);
    }
  }

  /** Runs that began before this was so gave up. */
  private static boolean repeats() {
    return Workflow.getVersion("status-repeated", Workflow.DEFAULT_VERSION, 1) >= 1;
  }

  private static StatusActivities local(LocalActivityOptions options) {
    return Workflow.newLocalActivityStub(StatusActivities.class, options);
  }

  /**
   * @param activities by the summary of the write
   * @return whether nothing is left to do: it is written, or will never be
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
      return isFinal(fault.reason());
    }
  }

  /** A right that is missing may come back. */
  private static boolean isFinal(String reason) {
    return FaultKind.FORBIDDEN.label().equals(reason) ? !repeats() : !FaultKind.isRetryable(reason);
  }
}
