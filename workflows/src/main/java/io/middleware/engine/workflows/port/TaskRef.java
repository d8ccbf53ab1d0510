package io.middleware.engine.workflows.port;

import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.WorkflowIds;

/** One task of a change. */
public record TaskRef(ChangeRef change, String id, ChangeType type, String component) {

  /** The id of the workflow that carries the task out. */
  public String workflowId() {
    return WorkflowIds.task(change.workflowId(), change.generation(), id);
  }
}
