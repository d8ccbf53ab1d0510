package io.middleware.engine.workflows.port;

import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.WorkflowIds;
import java.util.Optional;

/**
 * One task of a change.
 *
 * @param rollback whether the component is brought back to its state before the task
 * @param pluginRevision what the plan was made with: see {@link
 *     io.middleware.engine.api.task.ChangePlan#pluginRevision()}
 */
public record TaskRef(
    ChangeRef change,
    String id,
    ChangeType type,
    String component,
    boolean rollback,
    Optional<String> pluginRevision)
    implements ChangeStep {

  /** The task itself, not its rollback. */
  public TaskRef(ChangeRef change, String id, ChangeType type, String component) {
    this(change, id, type, component, false, Optional.empty());
  }

  /** The same task of a plan that was made with this revision of its Plugin. */
  public TaskRef with(Optional<String> revision) {
    return new TaskRef(change, id, type, component, rollback, revision);
  }

  /** The task's rollback. */
  public TaskRef back() {
    return new TaskRef(change, id, type, component, true, pluginRevision);
  }

  /** The id of the workflow that carries the task out. */
  public String workflowId() {
    var taskWorkflowId = WorkflowIds.task(change.workflowId(), change.generation(), id);
    return rollback ? WorkflowIds.rollback(taskWorkflowId) : taskWorkflowId;
  }
}
