package io.middleware.engine.workflows.port;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.TaskChecks;
import io.middleware.engine.api.task.WatchedChecks;
import io.middleware.engine.api.task.WorkflowIds;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * One task of a change.
 *
 * @param rollback whether the component is brought back to its state before the task
 * @param pluginRevision what the plan was made with: see {@link
 *     io.middleware.engine.api.task.ChangePlan#pluginRevision()}
 * @param checks that follow it; empty, and missing in older histories, if there are none
 * @param hooked whether it runs hooks of the Plugin; false, and missing in older histories, if not
 * @param watched checks of the whole change that are repeated beside it; none, and missing in older
 *     histories, if there are none
 */
public record TaskRef(
    ChangeRef change,
    String id,
    ChangeType type,
    String component,
    boolean rollback,
    Optional<String> pluginRevision,
    @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<TaskChecks> checks,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean hooked,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<WatchedChecks> watched)
    implements ChangeStep {
  public TaskRef {
    checks = Objects.requireNonNullElse(checks, Optional.empty());
    watched = watched == null ? List.of() : List.copyOf(watched);
  }

  /** The task itself, not its rollback. */
  public TaskRef(ChangeRef change, String id, ChangeType type, String component) {
    this(change, id, type, component, false, Optional.empty(), Optional.empty(), false, List.of());
  }

  /** The same task on another component. */
  public TaskRef on(String other) {
    return new TaskRef(change, id, type, other, rollback, pluginRevision, checks, hooked, watched);
  }

  /** The same task of a plan that was made with this revision of its Plugin. */
  public TaskRef with(Optional<String> revision) {
    return new TaskRef(change, id, type, component, rollback, revision, checks, hooked, watched);
  }

  /** The same task, followed by these checks. */
  public TaskRef checkedBy(Optional<TaskChecks> following) {
    return new TaskRef(
        change, id, type, component, rollback, pluginRevision, following, hooked, watched);
  }

  /** The same task, which runs hooks or none. */
  public TaskRef hooked(boolean runsHooks) {
    return new TaskRef(
        change, id, type, component, rollback, pluginRevision, checks, runsHooks, watched);
  }

  /** The same task, beside which these checks are repeated. */
  public TaskRef watchedBy(List<WatchedChecks> beside) {
    return new TaskRef(
        change, id, type, component, rollback, pluginRevision, checks, hooked, beside);
  }

  /** The task's rollback, which runs no hooks, and which no checks follow or watch. */
  public TaskRef back() {
    return new TaskRef(
        change, id, type, component, true, pluginRevision, Optional.empty(), false, List.of());
  }

  /** Whether more than the state of its groups decides that the task is done. */
  @JsonIgnore
  public boolean isFollowed() {
    return hooked || checks.isPresent();
  }

  /** The id of the workflow that carries the task out. */
  public String workflowId() {
    var taskWorkflowId = WorkflowIds.task(change.workflowId(), change.generation(), id);
    return rollback ? WorkflowIds.rollback(taskWorkflowId) : taskWorkflowId;
  }
}
