package io.middleware.engine.workflows.port;

import io.middleware.engine.api.task.WorkflowIds;

/** One group within a task. */
public record GroupRef(TaskRef task, String group) implements ChangeStep {

  @Override
  public ChangeRef change() {
    return task.change();
  }

  /** The id of the workflow that carries out the group's part of the task. */
  public String workflowId() {
    return WorkflowIds.group(task.workflowId(), group);
  }
}
