package io.middleware.engine.workflows;

import static io.middleware.engine.workflows.ActivityPolicy.brief;

import io.middleware.engine.api.task.ChangeTask;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.api.task.RollingPolicy;
import io.middleware.engine.api.task.TaskPhase;
import io.middleware.engine.workflows.ChildWorkflows.Child;
import io.middleware.engine.workflows.port.PodActivities;
import io.middleware.engine.workflows.port.TaskProgress.Fault;
import io.middleware.engine.workflows.port.TaskRef;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.TemporalFailure;
import io.temporal.workflow.CancellationScope;
import io.temporal.workflow.TimerOptions;
import io.temporal.workflow.Workflow;

/** Carries one task out: attempts with growing pauses, all of them within the task's timeout. */
final class TaskRunner {
  private static final String TIMED_OUT = "TaskTimedOut";

  private final PodActivities pods =
      Workflow.newLocalActivityStub(PodActivities.class, brief("what the task waits for"));
  private final ChangeState state;
  private final RollingPolicy rolling;
  private final ChangeTask task;
  private boolean timedOut;

  TaskRunner(ChangeState state, RollingPolicy rolling, ChangeTask task) {
    this.state = state;
    this.rolling = rolling;
    this.task = task;
  }

  /** The first attempt begins. */
  TaskRunner begun() {
    state.move(task, TaskPhase.IN_PROGRESS);
    return this;
  }

  /** Ends with the task in a terminal phase, whatever happens. */
  void run() {
    var work = Workflow.newCancellationScope(this::attempts);
    var clock = Workflow.newCancellationScope(() -> limit(work));
    try {
      clock.run();
      work.run();
      state.move(task, TaskPhase.DONE);
    } catch (TemporalFailure e) {
      state.move(task, endOf(e));
    } finally {
      clock.cancel();
    }
  }

  private void limit(CancellationScope work) {
    var options = TimerOptions.newBuilder().setSummary("timeout of " + task.id()).build();
    Workflow.newTimer(task.policy().timeout(), options)
        .handle(
            (fired, cancelled) -> {
              if (cancelled == null) {
                timedOut = true;
                work.cancel(TIMED_OUT);
              }
              return fired;
            });
  }

  private void attempts() {
    for (int attempt = 1; ; attempt++) {
      try {
        carryOut();
        return;
      } catch (TemporalFailure e) {
        if (Failures.isCancel(e)) {
          throw e;
        }
        var fault = Failures.explain(e);
        state.note(task, fault);
        if (!FaultKind.isRetryable(fault.reason()) || attempt >= task.policy().maxRetries()) {
          throw e;
        }
      }
      state.move(task, TaskPhase.RETRY_PENDING);
      Workflow.sleep(task.policy().backoffAfter(attempt));
      begun();
    }
  }

  private void carryOut() {
    var ref = ref();
    var child =
        new Child<>(
            ComponentChangeWorkflow.class,
            ref.workflowId(),
            task.type().label() + " " + task.component() + ": " + task.description(),
            Attributes.ofTask(ref.change(), ref.type()));
    ChildWorkflows.run(child, workflow -> workflow.run(ref, rolling));
  }

  private TaskPhase endOf(TemporalFailure failure) {
    if (timedOut) {
      state.note(task, new Fault(TIMED_OUT, timeoutMessage()));
      return TaskPhase.FAILED;
    }
    return Failures.isCancel(failure) ? TaskPhase.CANCELLED : TaskPhase.FAILED;
  }

  private String timeoutMessage() {
    var message = "timed out after %ds".formatted(task.policy().timeout().toSeconds());
    try {
      var blocker = pods.blocker(ref());
      return blocker.isEmpty() ? message : message + " while waiting for " + blocker;
    } catch (ActivityFailure e) {
      return message + "; what it waited for is unknown: " + Failures.explain(e).message();
    }
  }

  private TaskRef ref() {
    return new TaskRef(state.change(), task.id(), task.type(), task.component());
  }
}
