package io.middleware.engine.api.task;

import java.util.List;
import java.util.stream.IntStream;

/**
 * What a change consists of.
 *
 * @param generation of the App whose spec is carried out
 * @param deletion whether the App goes away
 * @param tasks in the order of their stages
 * @param rolling how pods are replaced
 */
public record ChangePlan(
    long generation, boolean deletion, List<ChangeTask> tasks, RollingPolicy rolling) {
  public ChangePlan {
    tasks = List.copyOf(tasks);
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
