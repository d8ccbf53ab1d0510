package io.middleware.engine.workflows;

import io.middleware.engine.api.task.ChangeTask;
import io.middleware.engine.workflows.port.TaskProgress.Fault;
import io.middleware.engine.workflows.port.TaskRef;
import io.middleware.engine.workflows.temporal.FailureCauses;
import io.middleware.engine.workflows.temporal.NamedTimer;
import io.temporal.failure.TemporalFailure;
import io.temporal.workflow.Async;
import io.temporal.workflow.CancellationScope;
import io.temporal.workflow.Functions.Proc;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * The time limit of a task and its cancels.
 *
 * <p>Two watches run beside the steps and cancel them: one for cancels by request, one for the time
 * limit. An instance runs once; a rollback has a time limit of its own and another instance.
 */
final class TaskScope {
  private static final Duration LEFT_AFTER_PAUSE = Duration.ofMinutes(1);

  private final ChangeContext context;
  private final ChangeTask task;
  private final TaskClock clock;
  private boolean timedOut;

  /**
   * @param ref the task, or its rollback
   */
  TaskScope(ChangeContext context, ChangeTask task, TaskRef ref) {
    this.context = context;
    this.task = task;
    this.clock = new TaskClock(task, ref);
  }

  /** How the steps ended. */
  sealed interface Outcome {
    record Completed() implements Outcome {}

    /** The steps did not complete. */
    sealed interface Unfinished extends Outcome {}

    /**
     * @param afterProgress whether the task has made some progress before
     */
    record TimedOut(boolean afterProgress) implements Unfinished {}

    record Cancelled() implements Unfinished {}

    record Failed(Fault fault) implements Unfinished {}
  }

  /** Runs the steps until they end, time out, are cancelled again, or are to stop. */
  Outcome run(Proc steps, Supplier<Boolean> stopped) {
    try {
      runWatched(steps, cancels(), stopped);
      return new Outcome.Completed();
    } catch (TemporalFailure e) {
      if (timedOut) {
        return new Outcome.TimedOut(clock.hasMadeProgress());
      }
      return FailureCauses.isCancel(e)
          ? new Outcome.Cancelled()
          : new Outcome.Failed(FailureCauses.explain(e));
    }
  }

  private void runWatched(Proc steps, int cancelsSeen, Supplier<Boolean> stopped) {
    var scope = Workflow.newCancellationScope(steps::apply);
    var watches =
        Workflow.newCancellationScope(
            () -> {
              // the cancel comes first: it wins when both are due before a worker runs
              watch(
                  () -> {
                    Workflow.await(() -> cancels() > cancelsSeen || stopped.get());
                    scope.cancel("cancelled");
                  });
              watch(() -> cancelWhenTimedOut(scope));
            });
    try {
      watches.run();
      scope.run();
    } finally {
      watches.cancel();
    }
  }

  /** Runs beside the steps; when they end, the watch is cancelled, which is not a failure. */
  private static void watch(Proc watch) {
    Async.procedure(
        () -> {
          try {
            watch.apply();
          } catch (TemporalFailure e) {
            if (!FailureCauses.isCancel(e)) {
              throw e;
            }
            Workflow.getLogger(TaskScope.class)
                .debug("the steps have ended, and so has a watch", e);
          }
        });
  }

  /** The time during which the App is paused does not count, and progress begins it again. */
  private void cancelWhenTimedOut(CancellationScope scope) {
    var remaining = clock.limit();
    while (remaining.isPositive()) {
      Workflow.await(() -> !context.state().isPaused());
      var began = Workflow.currentTimeMillis();
      var summary = "time limit of %s: %s".formatted(task.id(), NamedTimer.format(remaining));
      NamedTimer.await(remaining, summary, context.state()::isPaused);
      remaining =
          context.state().isPaused()
              ? afterPause(remaining.minusMillis(Workflow.currentTimeMillis() - began))
              : clock.again();
    }
    if (!scope.isCancelRequested()) {
      timedOut = true;
      scope.cancel("timed out");
    }
  }

  /**
   * A pause wins when it and the time limit come together, because their order is unknown when no
   * worker ran. After the pause the task has some time again.
   */
  private Duration afterPause(Duration remaining) {
    if (remaining.isPositive()
        || Workflow.getVersion("pause-before-time-limit", Workflow.DEFAULT_VERSION, 1) < 1) {
      return remaining;
    }
    var timeout = clock.limit();
    return timeout.compareTo(LEFT_AFTER_PAUSE) < 0 ? timeout : LEFT_AFTER_PAUSE;
  }

  private int cancels() {
    return context.requests().cancelsOf(task.id());
  }
}
