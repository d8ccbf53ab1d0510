package io.middleware.engine.workflows;

import io.middleware.engine.api.task.ChangeTask;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.api.task.TaskHooks;
import io.middleware.engine.workflows.backup.UpgradeBackup;
import io.middleware.engine.workflows.component.CheckStep;
import io.middleware.engine.workflows.component.ComponentChange;
import io.middleware.engine.workflows.component.ComponentChangeWorkflow;
import io.middleware.engine.workflows.component.GroupPolicy;
import io.middleware.engine.workflows.port.TaskRef;
import io.middleware.engine.workflows.temporal.ChildWorkflows;
import io.middleware.engine.workflows.temporal.ChildWorkflows.Child;
import io.middleware.engine.workflows.temporal.FailureCauses;
import io.temporal.failure.ChildWorkflowFailure;
import io.temporal.workflow.Workflow;
import java.util.Optional;
import java.util.stream.Stream;

/** What is done for a task, or for its rollback: once, without a limit of time. */
final class TaskSteps {
  private final ChangeContext context;
  private final ChangeTask task;
  private final TaskRef ref;
  private final Optional<TaskHooks> hooks;

  /**
   * @param ref of the task, or of its rollback
   */
  TaskSteps(ChangeContext context, ChangeTask task, TaskRef ref) {
    this.context = context;
    this.task = task;
    this.ref = ref;
    this.hooks = ref.rollback() ? Optional.empty() : task.hooks();
  }

  /** They do not begin while the App is paused. */
  void run() {
    Workflow.await(() -> !context.state().isPaused());
    if (task.type() == ChangeType.BACKUP) {
      new UpgradeBackup(ref, task.description()).run();
    } else if (task.type() == ChangeType.CHECK) {
      CheckStep.after(ref);
    } else if (task.inRun()) {
      changeComponent();
    } else {
      runChild();
    }
  }

  private void changeComponent() {
    var policy = new GroupPolicy(context.plan().rolling(), task.inline(), true);
    var own = hooks.orElse(TaskHooks.NONE);
    new ComponentChange(ref, policy, own, context.state()::degraded).run();
  }

  private void runChild() {
    var arguments =
        Stream.concat(
            Stream.<Object>of(ref, context.plan().rolling(), task.inline()), hooks.stream());
    var child =
        new Child(
            ComponentChangeWorkflow.class,
            ref,
            ref.workflowId(),
            (ref.rollback() ? "rollback of " : "")
                + "%s %s: %s".formatted(task.type().label(), task.component(), task.description()),
            arguments.toList());
    try {
      ChildWorkflows.run(child);
    } catch (ChildWorkflowFailure e) {
      if (!FaultKind.SUPERSEDED.label().equals(FailureCauses.explain(e).reason())) {
        throw e;
      }
      // the child belonged to the run before a reset; that run has lost its run lock to this run
      ChildWorkflows.run(child);
    }
  }
}
