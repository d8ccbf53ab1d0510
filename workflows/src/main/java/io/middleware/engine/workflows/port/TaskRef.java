package io.middleware.engine.workflows.port;

import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.WorkflowIds;

/**
 * One task of a change.
 *
 * @param rollback whether the component is brought back to where the task began
 */
public record TaskRef(
    ChangeRef change, String id, ChangeType type, String component, boolean rollback) {

  /** The task itself, forwards. */
  public TaskRef(ChangeRef change, String id, ChangeType type, String component) {
    this(change, id, type, component, false);
  }

  /** The way back. */
  public TaskRef back() {
    return new TaskRef(change, id, type, component, true);
  }

  /** The id of the workflow that carries the task out. */
  public String workflowId() {
    var forwards = WorkflowIds.task(change.workflowId(), change.generation(), id);
    return rollback ? WorkflowIds.rollback(forwards) : forwards;
  }
}
