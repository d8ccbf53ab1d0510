package io.middleware.engine.cluster.status;

import io.middleware.engine.api.AppStatus;
import io.middleware.engine.api.change.TaskStatus;
import io.middleware.engine.api.check.CheckResult;
import io.middleware.engine.api.task.ChangeTask;
import io.middleware.engine.api.task.TaskPhase;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * What became of the checks of tasks. The steps that check write it into the status; reports of the
 * change's progress do not know it, and keep it.
 */
final class CheckedTasks {
  private static final int MOST = 64;

  private CheckedTasks() {}

  /** Of a task whose checks are not decided; null when it has none. */
  static List<CheckResult> planned(ChangeTask task) {
    return task.checks()
        .map(
            checks ->
                Stream.concat(checks.group().stream(), checks.component().stream())
                    .limit(MOST)
                    .map(CheckResult::planned)
                    .toList())
        .orElse(null);
  }

  /** The task with the results that its earlier status has. A task that starts again has none. */
  static TaskStatus keeping(Optional<List<TaskStatus>> before, TaskStatus task) {
    return before.stream()
        .flatMap(List::stream)
        .filter(old -> old.checks() != null && isSameRun(old, task))
        .findFirst()
        .map(old -> task.withChecks(old.checks()))
        .orElse(task);
  }

  private static boolean isSameRun(TaskStatus old, TaskStatus task) {
    return task.id().equals(old.id())
        && !TaskPhase.PENDING.label().equals(task.status())
        && (old.startedAt() == null || old.startedAt().equals(task.startedAt()));
  }

  /** The status with these results of a task; the newest results are the last ones. */
  static AppStatus with(AppStatus status, String task, List<CheckResult> results) {
    return edited(
        status, it -> task.equals(it.id()) ? it.withChecks(over(it.checks(), results)) : it);
  }

  /** The status with what is new of these results in the tasks of the component in work. */
  static AppStatus background(AppStatus status, String component, List<CheckResult> results) {
    return edited(
        status,
        it ->
            isInWork(component, it)
                ? it.withChecks(over(it.checks(), news(it.checks(), results)))
                : it);
  }

  /** Whether nothing of these results is new there. */
  static boolean show(AppStatus status, String component, List<CheckResult> results) {
    return Stream.ofNullable(status.tasks())
        .flatMap(List::stream)
        .filter(it -> isInWork(component, it))
        .allMatch(it -> news(it.checks(), results).isEmpty());
  }

  private static boolean isInWork(String component, TaskStatus task) {
    return component.equals(task.component())
        && TaskPhase.IN_PROGRESS.label().equals(task.status());
  }

  /** Values change all the time: while a check holds, the first ones do. */
  private static List<CheckResult> news(List<CheckResult> before, List<CheckResult> results) {
    return results.stream()
        .filter(
            it ->
                Stream.ofNullable(before)
                    .flatMap(List::stream)
                    .filter(it::isOfSame)
                    .noneMatch(it::saysTheSame))
        .toList();
  }

  private static AppStatus edited(AppStatus status, UnaryOperator<TaskStatus> edit) {
    var before = AppStatusFactory.partOf(status);
    return AppStatusFactory.part(
            before.observedGeneration(),
            before.acceptedGeneration(),
            before.change(),
            before.tasks().stream().map(edit).toList(),
            before.pendingChange(),
            before.conditions())
        .withOperation(before.operation());
  }

  private static List<CheckResult> over(List<CheckResult> before, List<CheckResult> results) {
    var all = new ArrayList<>(before == null ? List.of() : before);
    all.removeIf(old -> results.stream().anyMatch(it -> replaces(it, old)));
    all.addAll(results);
    return List.copyOf(all.subList(Math.max(0, all.size() - MOST), all.size()));
  }

  private static boolean replaces(CheckResult result, CheckResult old) {
    return result.isOfSame(old) || (old.passed() == null && result.name().equals(old.name()));
  }
}
