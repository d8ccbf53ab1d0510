package io.middleware.engine.workflows.port;

import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.WorkflowIds;

/**
 * One task of a change.
 *
 * @param rollback whether the component is brought back to its state before the task
 */
public record TaskRef(
    ChangeRef change, String id, ChangeType type, String component, boolean rollback)
    implements ChangeStep {

  /** The task itself, not its rollback. */
  public TaskRef(ChangeRef change, String id, ChangeType type, String component) {
    this(change, id, type, component, false);
  }

  /** The task's rollback. */
  public TaskRef back() {
    return new TaskRef(change, id, type, component, true);
  }

  /** The id of the workflow that carries the task out. */
  public String workflowId() {
    var taskWorkflowId = WorkflowIds.task(change.workflowId(), change.generation(), id);
    return rollback ? WorkflowIds.rollback(taskWorkflowId) : taskWorkflowId;
  }
}
