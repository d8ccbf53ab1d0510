package io.middleware.engine.api.task;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Optional;

/**
 * One type of change to one component.
 *
 * @param id {@code <generation>-<type>-<component>}, with a part of the uid behind it for an
 *     Operation
 * @param description what changes from what to what, for people
 * @param stage tasks of one stage run together, after all tasks of the stages before it
 * @param inline whether the task's workflow carries out its groups itself, instead of one child for
 *     each; false in plans of older engines
 * @param inRun whether the App's own run carries the task out, instead of a workflow of the task;
 *     false in plans of older engines
 * @param hooks actions of the Plugin that the task runs, its rollback does not; empty, and missing
 *     in plans of older engines, if it has none
 * @param checks that follow it; empty, and missing in plans of older engines, if there are none
 */
public record ChangeTask(
    String id,
    ChangeType type,
    String component,
    String description,
    int stage,
    boolean inline,
    boolean inRun,
    TaskPolicy policy,
    @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<TaskHooks> hooks,
    @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<TaskChecks> checks) {
  public ChangeTask {
    hooks = requireNonNullElse(hooks, Optional.empty());
    checks = requireNonNullElse(checks, Optional.empty());
    requireNonNull(id, "id");
    requireNonNull(type, "type");
    requireNonNull(component, "component");
    requireNonNull(description, "description");
    requireNonNull(policy, "policy");
    if (stage < 0) {
      throw new IllegalArgumentException("task " + id + ": stage must not be negative: " + stage);
    }
  }

  /** A task without hooks and checks. */
  public ChangeTask(
      String id,
      ChangeType type,
      String component,
      String description,
      int stage,
      boolean inline,
      boolean inRun,
      TaskPolicy policy) {
    this(
        id,
        type,
        component,
        description,
        stage,
        inline,
        inRun,
        policy,
        Optional.empty(),
        Optional.empty());
  }

  /** The same task, which runs these hooks, and says so. */
  public ChangeTask with(TaskHooks run, String saying) {
    return copy(id, saying, stage, policy, Optional.of(run), checks);
  }

  /** The same task with another description. */
  public ChangeTask describedAs(String saying) {
    return copy(id, saying, stage, policy, hooks, checks);
  }

  /** The same task, followed by these checks. */
  public ChangeTask checkedBy(TaskChecks following) {
    return copy(id, description, stage, policy, hooks, Optional.of(following));
  }

  /** The same task of an Operation. */
  ChangeTask of(String suffix, TaskPolicy operation) {
    return copy(id + suffix, description, stage, operation, hooks, checks);
  }

  /** The same task so many stages later. */
  ChangeTask after(int stages) {
    return copy(id, description, stage + stages, policy, hooks, checks);
  }

  private ChangeTask copy(
      String newId,
      String saying,
      int newStage,
      TaskPolicy newPolicy,
      Optional<TaskHooks> run,
      Optional<TaskChecks> following) {
    return new ChangeTask(
        newId, type, component, saying, newStage, inline, inRun, newPolicy, run, following);
  }
}
