package io.middleware.engine.workflows;

import io.middleware.engine.api.task.ChangePlan;
import io.middleware.engine.api.task.ExecutionOrder;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.workflows.port.AppliedGroup;
import io.middleware.engine.workflows.port.ChangeProgress;
import io.middleware.engine.workflows.port.ChangeRef;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.OrderingActivities;
import io.middleware.engine.workflows.port.PlanAnswer;
import io.middleware.engine.workflows.port.PlanRequest;
import io.middleware.engine.workflows.port.PlanningActivities;
import io.middleware.engine.workflows.port.PodActivities;
import io.middleware.engine.workflows.port.PodOrder;
import io.middleware.engine.workflows.port.PodOrder.OutdatedPod;
import io.middleware.engine.workflows.port.ResourceActivities;
import io.middleware.engine.workflows.port.StatusActivities;
import io.middleware.engine.workflows.port.TaskRef;
import io.temporal.activity.Activity;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;

/** A cluster that does what it is told at once, and remembers every operation in order. */
final class FakeCluster
    implements PlanningActivities,
        OrderingActivities,
        ResourceActivities,
        PodActivities,
        StatusActivities {
  /** Operations such as {@code "apply redis/shard-0"}, in the order they happened. */
  final List<String> operations = Collections.synchronizedList(new ArrayList<>());

  final List<ChangeProgress> reports = new CopyOnWriteArrayList<>();
  final Map<String, List<String>> groups = new HashMap<>();

  /** By group, the pods that are out of date, in their order. */
  final Map<String, List<String>> pods = new ConcurrentHashMap<>();

  /** How a plan is answered; by default a plan without tasks. */
  Function<ChangeRef, PlanAnswer> planner =
      change ->
          new PlanAnswer.Planned(
              new ChangePlan(change.generation(), false, List.of(), Plans.ROLLING));

  /** Called before each operation; may throw to make it fail. */
  Function<String, ApplicationFailure> fault = operation -> null;

  /** Why the order of a pod's turn holds no more; by default it does. */
  Function<ReplaceRequest, Optional<String>> stale = request -> Optional.empty();

  /** By group, why the order of its pods is not the agents' own. */
  final Map<String, String> degraded = new HashMap<>();

  /** The operation that waits until it is cancelled. */
  String waiting = "";

  /** Called when that operation has begun. */
  Consumer<String> begun = operation -> {};

  private void waitUntilCancelled() {
    while (true) {
      Activity.getExecutionContext().heartbeat("waiting");
      LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
    }
  }

  private void operate(String operation) {
    operations.add(operation);
    var failure = fault.apply(operation);
    if (failure != null) {
      throw failure;
    }
    if (operation.equals(waiting)) {
      begun.accept(operation);
      waitUntilCancelled();
    }
  }

  static ApplicationFailure fails(FaultKind kind, String message) {
    return kind.isRetryable()
        ? ApplicationFailure.newFailure(message, kind.label())
        : ApplicationFailure.newNonRetryableFailure(message, kind.label());
  }

  @Override
  public PlanAnswer plan(PlanRequest request) {
    operate("plan " + request.change().generation());
    return planner.apply(request.change());
  }

  @Override
  public ExecutionOrder groupOrder(GroupOrderRequest request) {
    return new ExecutionOrder(request.groups(), false, "");
  }

  @Override
  public PodOrder podOrder(PodOrderRequest request) {
    operate("order " + path(request.group()));
    return new PodOrder(
        pods.getOrDefault(request.group().group(), List.of()).stream()
            .map(pod -> new OutdatedPod(pod, "uid-" + pod, ""))
            .toList(),
        degraded.getOrDefault(request.group().group(), ""),
        9090);
  }

  @Override
  public List<String> openComponent(TaskRef task) {
    operate("open " + task.id());
    return groups.getOrDefault(task.component(), List.of());
  }

  @Override
  public void settleComponent(TaskRef task) {
    operate("settle " + task.id());
  }

  @Override
  public AppliedGroup applyGroup(GroupRef group) {
    operate("apply " + path(group));
    return new AppliedGroup(group.group(), 1);
  }

  @Override
  public void removeGroup(GroupRef group) {
    operate("remove " + path(group));
  }

  @Override
  public void releaseGroup(GroupRef group) {
    operate("release " + path(group));
  }

  @Override
  public void releaseApp(ChangeRef change) {
    operate("release " + change.app());
  }

  @Override
  public Replacement replacePod(ReplaceRequest request) {
    var pod = request.pod().name();
    var why = stale.apply(request);
    operate((why.isEmpty() ? "replace " : "leave ") + pod);
    if (why.isEmpty()) {
      pods.computeIfPresent(
          request.group().group(),
          (group, names) -> names.stream().filter(name -> !name.equals(pod)).toList());
    }
    return new Replacement(why);
  }

  @Override
  public String missing(ConvergeRequest request) {
    return "one pod of " + path(request.group());
  }

  @Override
  public void awaitConverged(ConvergeRequest request) {
    operate("converged " + path(request.group()));
  }

  @Override
  public void awaitGone(GroupRef group) {
    operate("gone " + path(group));
  }

  @Override
  public String blocker(TaskRef task) {
    return "pod " + task.component() + "-0: ImagePullBackOff";
  }

  @Override
  public void report(ChangeProgress progress) {
    var failure = fault.apply(progress.end().isPresent() ? "report end" : "report");
    if (failure != null) {
      throw failure;
    }
    reports.add(progress);
  }

  ChangeProgress lastReport() {
    return reports.getLast();
  }

  private static String path(GroupRef group) {
    return group.task().component() + "/" + group.group();
  }
}
