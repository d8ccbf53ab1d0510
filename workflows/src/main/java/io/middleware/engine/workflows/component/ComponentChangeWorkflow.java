package io.middleware.engine.workflows.component;

import io.middleware.engine.api.task.RollingPolicy;
import io.middleware.engine.api.task.TaskHooks;
import io.middleware.engine.workflows.port.TaskRef;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;

/** Carries out one task: a type of change to a component, group by group in the agents' order. */
@WorkflowInterface
public interface ComponentChangeWorkflow {

  /**
   * Carries the task out.
   *
   * @param inline {@link io.middleware.engine.api.task.ChangeTask#inline}; null in histories of
   *     older engines, which means false
   * @param hooks {@link io.middleware.engine.api.task.ChangeTask#hooks}; null in histories of older
   *     engines, and where there are none
   */
  @WorkflowMethod
  void run(TaskRef task, RollingPolicy rolling, Boolean inline, TaskHooks hooks);
}
