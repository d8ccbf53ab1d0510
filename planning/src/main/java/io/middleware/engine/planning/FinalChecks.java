package io.middleware.engine.planning;

import io.middleware.engine.api.check.Check;
import io.middleware.engine.api.check.CheckPoint;
import io.middleware.engine.api.task.ChangePlan;
import io.middleware.engine.api.task.ChangeTask;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.TaskChecks;
import io.middleware.engine.api.task.TaskPolicy;
import io.middleware.engine.planning.app.CheckCatalog;
import io.middleware.engine.planning.app.DesiredApp;
import io.middleware.engine.planning.app.SpecDurations;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The checks that follow a whole change: a task of its own for each component that the change works
 * on. It touches no pod, so that it can be retried alone.
 *
 * @param owed components whose checks an earlier run of the same change has left undone
 */
record FinalChecks(DesiredApp desiredApp, Set<String> owed) {
  private static final Duration MARGIN = Duration.ofMinutes(1);

  FinalChecks {
    owed = Set.copyOf(owed);
  }

  /**
   * The same plan, with these tasks at its end.
   *
   * @param otherwise their policy, unless the checks need more time
   */
  ChangePlan into(ChangePlan plan, TaskPolicy otherwise) {
    var types =
        plan.tasks().stream()
            .collect(
                Collectors.groupingBy(
                    ChangeTask::component,
                    Collectors.mapping(task -> task.type().label(), Collectors.toSet())));
    var tasks =
        desiredApp.components().values().stream()
            .filter(component -> !component.isStopped())
            .flatMap(component -> task(plan, component.component(), types, otherwise).stream())
            .toList();
    return tasks.isEmpty() ? plan : plan.followedBy(tasks);
  }

  private Optional<ChangeTask> task(
      ChangePlan plan, String component, Map<String, Set<String>> types, TaskPolicy otherwise) {
    var all =
        new CheckCatalog(desiredApp.plugin(), desiredApp.spec())
            .of(component).stream().filter(check -> check.isAfter(CheckPoint.CHANGE));
    var checks = all.filter(check -> isOwed(check, component, types)).toList();
    return checks.isEmpty()
        ? Optional.empty()
        : Optional.of(task(plan, component, checks, otherwise));
  }

  private boolean isOwed(Check check, String component, Map<String, Set<String>> types) {
    return owed.contains(component)
        || types.getOrDefault(component, Set.of()).stream().anyMatch(check::belongsTo);
  }

  private static ChangeTask task(
      ChangePlan plan, String component, List<Check> checks, TaskPolicy otherwise) {
    var names = checks.stream().map(Check::name).toList();
    var task =
        new ChangeTask(
            Planner.id(plan.generation(), ChangeType.CHECK, component),
            ChangeType.CHECK,
            component,
            "checks of %s: %s".formatted(component, String.join(", ", names)),
            plan.stages().size(),
            true,
            false,
            policy(checks, otherwise));
    return task.checkedBy(new TaskChecks(List.of(), names));
  }

  /** A check that has all its time must not meet the time limit of its task. */
  private static TaskPolicy policy(List<Check> checks, TaskPolicy otherwise) {
    var longest =
        checks.stream()
            .map(FinalChecks::longest)
            .max(Duration::compareTo)
            .map(time -> time.plus(MARGIN))
            .filter(time -> time.compareTo(otherwise.timeout()) > 0);
    return new TaskPolicy(
        longest.orElse(otherwise.timeout()), otherwise.maxRetries(), otherwise.retryBackoff());
  }

  private static Duration longest(Check check) {
    return Stream.of(check.deadline(), check.duration())
        .flatMap(text -> SpecDurations.parse(text).stream())
        .reduce(Duration.ZERO, Duration::plus);
  }
}
