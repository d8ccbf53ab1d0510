package io.middleware.engine.api.task;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What a change consists of.
 *
 * @param generation of the App spec that is carried out
 * @param deletion whether the App is being deleted
 * @param tasks in the order of their stages
 * @param rolling how pods are replaced
 * @param undo what happens to tasks that fail or are cancelled
 * @param paused whether the App asks to hold, as of this generation
 * @param approval hash that must be approved before the first task begins; empty when none is
 *     needed
 * @param pluginRevision name of the content of the App's Plugin with which the plan was made, which
 *     all its steps use; empty in plans of an engine that did not keep it, and of a deletion
 * @param background checks that are repeated while the tasks run; empty, and missing in plans of
 *     older engines, if there are none
 */
public record ChangePlan(
    long generation,
    boolean deletion,
    List<ChangeTask> tasks,
    RollingPolicy rolling,
    UndoPolicy undo,
    boolean paused,
    Optional<String> approval,
    Optional<String> pluginRevision,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<WatchedChecks> background) {
  public ChangePlan {
    tasks = List.copyOf(tasks);
    background = background == null ? List.of() : List.copyOf(background);
  }

  /** A plan that begins at once. */
  public ChangePlan(
      long generation,
      boolean deletion,
      List<ChangeTask> tasks,
      RollingPolicy rolling,
      UndoPolicy undo) {
    this(
        generation,
        deletion,
        tasks,
        rolling,
        undo,
        false,
        Optional.empty(),
        Optional.empty(),
        List.of());
  }

  /** The same plan of an App that asks to hold, or does not. */
  public ChangePlan held(boolean now) {
    return new ChangePlan(
        generation, deletion, tasks, rolling, undo, now, approval, pluginRevision, background);
  }

  /** The same plan, to be approved first. */
  public ChangePlan awaiting(String hash) {
    return new ChangePlan(
        generation,
        deletion,
        tasks,
        rolling,
        undo,
        paused,
        Optional.of(hash),
        pluginRevision,
        background);
  }

  /** The same plan, made with this content of its Plugin. */
  public ChangePlan with(String revision) {
    return new ChangePlan(
        generation,
        deletion,
        tasks,
        rolling,
        undo,
        paused,
        approval,
        Optional.of(revision),
        background);
  }

  /** The same plan, with its tasks edited. */
  public ChangePlan edited(UnaryOperator<ChangeTask> edit) {
    return of(tasks.stream().map(edit).toList(), background);
  }

  /** The same plan, with these tasks after all others. */
  public ChangePlan followedBy(List<ChangeTask> last) {
    return of(Stream.concat(tasks.stream(), last.stream()).toList(), background);
  }

  /** The same plan, while whose tasks these checks are repeated. */
  public ChangePlan withBackground(List<WatchedChecks> checks) {
    return of(tasks, checks);
  }

  private ChangePlan of(List<ChangeTask> newTasks, List<WatchedChecks> checks) {
    return new ChangePlan(
        generation, deletion, newTasks, rolling, undo, paused, approval, pluginRevision, checks);
  }

  /** The same plan, after so many stages that are done. */
  public ChangePlan after(int done) {
    return edited(task -> task.after(done));
  }

  /**
   * The plan of an Operation, whose tasks are never rolled back.
   *
   * @param suffix of the ids of its tasks
   */
  public ChangePlan ofOperation(String suffix, TaskPolicy policy) {
    return new ChangePlan(
        generation,
        deletion,
        tasks.stream().map(task -> task.of(suffix, policy)).toList(),
        rolling,
        new UndoPolicy(false, false),
        paused,
        approval,
        pluginRevision,
        background);
  }

  /** The tasks by stage, first stage first. */
  public List<List<ChangeTask>> stages() {
    var last = tasks.stream().mapToInt(ChangeTask::stage).max().orElse(-1);
    return IntStream.rangeClosed(0, last).mapToObj(this::stage).toList();
  }

  /** The ids a task waits for: the tasks of the nearest stage before its own that has any. */
  public List<String> dependencies(ChangeTask task) {
    return tasks.stream()
        .mapToInt(ChangeTask::stage)
        .filter(stage -> stage < task.stage())
        .max()
        .stream()
        .mapToObj(this::stage)
        .flatMap(List::stream)
        .map(ChangeTask::id)
        .toList();
  }

  private List<ChangeTask> stage(int stage) {
    return tasks.stream().filter(task -> task.stage() == stage).toList();
  }
}
