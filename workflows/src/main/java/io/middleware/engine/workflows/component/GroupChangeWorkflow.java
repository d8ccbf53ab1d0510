package io.middleware.engine.workflows.component;

import io.middleware.engine.api.task.RollingPolicy;
import io.middleware.engine.workflows.port.GroupRef;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;

/** Carries out one group's part of a task that is too large for the task's own workflow. */
@WorkflowInterface
public interface GroupChangeWorkflow {

  /** Carries the group's part out. */
  @WorkflowMethod
  void run(GroupRef group, RollingPolicy rolling);
}
