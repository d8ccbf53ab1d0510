package io.middleware.engine.workflows;

import io.middleware.engine.api.task.ChangePlan;
import io.middleware.engine.api.task.ChangeTask;
import io.middleware.engine.api.task.TaskPhase;
import io.middleware.engine.workflows.port.PlanAnswer.Planned;
import io.middleware.engine.workflows.port.TaskProgress;
import io.middleware.engine.workflows.port.TaskProgress.Fault;
import io.middleware.engine.workflows.port.TaskProgress.Result;
import io.middleware.engine.workflows.request.RetryRequest;
import io.temporal.workflow.Workflow;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The tasks of a change and how far each one is; none before the plan is made. */
final class ChangeTasks {
  private final Map<String, TaskProgress> tasks = new LinkedHashMap<>();
  private final Runnable changed;
  private Optional<ChangePlan> plan = Optional.empty();
  private int retries;

  ChangeTasks(Runnable changed) {
    this.changed = changed;
  }

  /**
   * Takes over a plan; its first tasks begin at once and notify the listener. Tasks that were
   * cancelled in the plan that it replaces stay cancelled.
   */
  void plan(Planned made, Optional<RetryRequest> retry) {
    var cancelled = with(TaskPhase.CANCELLED).map(task -> task.task().id()).toList();
    tasks.clear();
    plan = Optional.of(made.plan());
    made.earlier().forEach(done -> tasks.put(done.task().id(), done));
    made.plan().tasks().forEach(task -> tasks.put(task.id(), TaskProgress.of(task)));
    retry.ifPresent(this::skipAllBut);
    cancelled.reversed().stream()
        .filter(id -> find(id).filter(task -> task.phase() == TaskPhase.PENDING).isPresent())
        .forEach(id -> cancelPending(id, StopReason.CANCELLED.fault()));
  }

  /** Drops the planned tasks. */
  void clear() {
    tasks.clear();
  }

  boolean isInProgress(ChangeTask task) {
    return find(task.id()).filter(it -> it.phase() == TaskPhase.IN_PROGRESS).isPresent();
  }

  boolean arePlanned() {
    return plan.isPresent();
  }

  /** Tasks that this run is not requested to retry stay as they are. */
  private void skipAllBut(RetryRequest retry) {
    var first = firstStage(retry).orElse(-1);
    skip(
        task ->
            !retry.retryTaskIds().contains(task.id())
                && (!retry.resetDependencies() || task.stage() <= first),
        new Fault("NotRetried", "the retry did not include this task"));
  }

  /** No task begins any more: each one that waits depends on a task that is not done. */
  void skipAllPending() {
    skip(task -> true, new Fault("DependencyNotDone", "a task that it depends on is not done"));
  }

  /** Lets tasks that did not succeed begin again. */
  void retry(RetryRequest retry) {
    retries++;
    var first = firstStage(retry).orElse(Integer.MAX_VALUE);
    tasks.values().stream()
        .filter(
            task ->
                retry.retryTaskIds().contains(task.task().id())
                    || (retry.resetDependencies()
                        && task.phase() == TaskPhase.SKIPPED
                        && task.task().stage() > first))
        .toList()
        .forEach(task -> move(task.task(), TaskPhase.PENDING));
  }

  /** How often tasks were let begin again while the change ran. */
  int retries() {
    return retries;
  }

  private OptionalInt firstStage(RetryRequest retry) {
    return retry.retryTaskIds().stream()
        .flatMap(id -> find(id).stream())
        .mapToInt(task -> task.task().stage())
        .min();
  }

  /** The tasks that may begin now. */
  List<ChangeTask> ready() {
    return with(TaskPhase.PENDING)
        .map(TaskProgress::task)
        .filter(task -> areDone(dependencies(task.id())))
        .toList();
  }

  List<String> dependencies(String id) {
    return plan.map(made -> made.dependencies(tasks.get(id).task())).orElse(List.of());
  }

  Optional<TaskProgress> find(String id) {
    return Optional.ofNullable(tasks.get(id));
  }

  String ids() {
    return tasks.isEmpty() ? "none" : String.join(", ", tasks.keySet());
  }

  List<TaskProgress> all() {
    return List.copyOf(tasks.values());
  }

  Stream<TaskProgress> with(TaskPhase phase) {
    return tasks.values().stream().filter(task -> task.phase() == phase);
  }

  boolean areAllDone() {
    return plan.isPresent()
        && tasks.values().stream().allMatch(task -> task.phase() == TaskPhase.DONE);
  }

  boolean areDoneOrPending() {
    return Stream.concat(with(TaskPhase.DONE), with(TaskPhase.PENDING)).count() == tasks.size();
  }

  private boolean areDone(List<String> ids) {
    return ids.stream().allMatch(id -> tasks.get(id).phase() == TaskPhase.DONE);
  }

  void move(ChangeTask task, TaskPhase next) {
    tasks.compute(task.id(), (id, progress) -> progress.to(next, now()));
    changed.run();
  }

  void note(ChangeTask task, Fault fault) {
    tasks.compute(task.id(), (id, progress) -> progress.because(fault));
    changed.run();
  }

  void result(ChangeTask task, Result result) {
    tasks.compute(task.id(), (id, progress) -> progress.with(result));
  }

  /** The task did not succeed: tasks that depend on it do not begin. */
  void endBadly(ChangeTask task, TaskPhase end) {
    move(task, end);
    skip(
        later -> later.stage() > task.stage(),
        new Fault("DependencyNotDone", "task " + task.id() + " is " + end.label()));
  }

  /** Cancels a task that has not begun. */
  void cancelPending(String id, Fault why) {
    var task = tasks.get(id).task();
    note(task, why);
    endBadly(task, TaskPhase.CANCELLED);
  }

  /** Cancels all tasks that have not begun. */
  void cancelAllPending(Fault why) {
    with(TaskPhase.PENDING)
        .map(TaskProgress::task)
        .toList()
        .forEach(
            task -> {
              note(task, why);
              move(task, TaskPhase.CANCELLED);
            });
  }

  private void skip(Predicate<ChangeTask> which, Fault why) {
    with(TaskPhase.PENDING)
        .map(TaskProgress::task)
        .filter(which)
        .toList()
        .forEach(
            task -> {
              note(task, why);
              move(task, TaskPhase.SKIPPED);
            });
  }

  private static Instant now() {
    return Instant.ofEpochMilli(Workflow.currentTimeMillis());
  }
}
