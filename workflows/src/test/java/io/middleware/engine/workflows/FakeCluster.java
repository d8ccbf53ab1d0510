package io.middleware.engine.workflows;

import io.middleware.engine.api.task.ExecutionOrder;
import io.middleware.engine.workflows.port.AgentEndpoint;
import io.middleware.engine.workflows.port.AppliedStatefulSet;
import io.middleware.engine.workflows.port.ChangeProgress;
import io.middleware.engine.workflows.port.ChangeRef;
import io.middleware.engine.workflows.port.ConfigurationActivities;
import io.middleware.engine.workflows.port.DrainFirst;
import io.middleware.engine.workflows.port.DrainFirst.LeavingPod;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.GroupRemoval;
import io.middleware.engine.workflows.port.GroupRemoval.Removed;
import io.middleware.engine.workflows.port.GroupWrite;
import io.middleware.engine.workflows.port.GroupWrite.Applied;
import io.middleware.engine.workflows.port.OpenedComponent;
import io.middleware.engine.workflows.port.OrderingActivities;
import io.middleware.engine.workflows.port.PlanAnswer;
import io.middleware.engine.workflows.port.PlanAnswer.Planned;
import io.middleware.engine.workflows.port.PlanRequest;
import io.middleware.engine.workflows.port.PlanningActivities;
import io.middleware.engine.workflows.port.PodActivities;
import io.middleware.engine.workflows.port.PodActivities.OrderStale;
import io.middleware.engine.workflows.port.PodActivities.Paused;
import io.middleware.engine.workflows.port.PodActivities.Replaced;
import io.middleware.engine.workflows.port.PodOrder;
import io.middleware.engine.workflows.port.ResourceActivities;
import io.middleware.engine.workflows.port.RunActivities;
import io.middleware.engine.workflows.port.StatusActivities;
import io.middleware.engine.workflows.port.TaskRef;
import io.middleware.engine.workflows.port.VolumeActivities;
import io.temporal.activity.Activity;
import io.temporal.failure.ApplicationFailure;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** A cluster that carries out every operation at once, and records them in order. */
public final class FakeCluster extends FakeOperations
    implements PlanningActivities,
        OrderingActivities,
        ResourceActivities,
        ConfigurationActivities,
        PodActivities,
        VolumeActivities,
        RunActivities,
        StatusActivities {
  /** By group, the pods that are about to be removed and are drained first. */
  public final Map<String, List<LeavingPod>> leaving = new ConcurrentHashMap<>();

  final Map<String, List<String>> groups = new HashMap<>();

  /** By group, its pods in the order to replace them; at first none is of any generation. */
  public final Map<String, List<String>> pods = new ConcurrentHashMap<>();

  public final FakePods made = new FakePods(pods);

  public final FakeMembers members = new FakeMembers(this);

  /** The result of planning; by default a plan without tasks. */
  public Function<ChangeRef, PlanAnswer> planner =
      change -> new PlanAnswer.Planned(Plans.nothing(change.generation()));

  /** What becomes of each order. */
  UnaryOperator<PodOrder> orders = UnaryOperator.identity();

  /** Why the order of a pod is stale; by default it is not. */
  public Function<ReplaceRequest, Optional<String>> stale = request -> Optional.empty();

  /** Whether the App is paused when the turn of a pod comes. */
  public Predicate<ReplaceRequest> pausedBefore = request -> false;

  /** By group, why the order of its pods is not the agents' own. */
  public final Map<String, String> degraded = new HashMap<>();

  /** The components and groups whose agents do not answer at once. */
  public final Set<String> silent = ConcurrentHashMap.newKeySet();

  /** The groups whose pods must reload their configuration. */
  public final Set<String> reloading = ConcurrentHashMap.newKeySet();

  /** The groups and components whose checks do not hold at once. */
  public final Set<String> unchecked = ConcurrentHashMap.newKeySet();

  /** Whether nothing is missing once the last pod of a group is replaced. */
  public volatile boolean convergesAtOnce;

  /** Whether the App is paused, as a plan finds it. */
  public volatile boolean paused;

  /** Called with each status. */
  public volatile Consumer<ChangeProgress> seen = progress -> {};

  @Override
  public PlanAnswer plan(PlanRequest request) {
    operate(request.change(), "plan " + Plans.subject(request.change()));
    return planner.apply(request.change()) instanceof Planned planned
        ? new Planned(planned.plan().held(paused), planned.earlier())
        : planner.apply(request.change());
  }

  @Override
  public ExecutionOrder groupOrder(GroupOrderRequest request) {
    return silent.contains(request.task().component())
        ? ExecutionOrder.UNANSWERED
        : new ExecutionOrder(request.groups(), false);
  }

  @Override
  public ExecutionOrder awaitGroupOrder(GroupOrderRequest request) {
    operate(request.task().change(), "await order " + request.task().component());
    return new ExecutionOrder(request.groups(), false);
  }

  @Override
  public PodOrder podOrder(PodOrderRequest request) {
    return silent.contains(request.group().group())
        ? PodOrder.UNANSWERED
        : order(request, "order ");
  }

  @Override
  public PodOrder awaitPodOrder(PodOrderRequest request) {
    return order(request, "await order ");
  }

  private PodOrder order(PodOrderRequest request, String operation) {
    operate(request.group().task().change(), operation + path(request.group()));
    var why = Optional.ofNullable(degraded.get(request.group().group()));
    return orders.apply(
        new PodOrder(made.order(request.group()), why, new AgentEndpoint(9090, ""), false));
  }

  @Override
  public OpenedComponent openComponent(TaskRef task) {
    operate(task.change(), (task.rollback() ? "reopen " : "open ") + task.id());
    var opened = groups.getOrDefault(task.component(), List.of());
    return new OpenedComponent(
        opened, Optional.of(groupOrder(new GroupOrderRequest(task, opened))));
  }

  @Override
  public void settleComponent(TaskRef task) {
    made.settle(task);
    operate(task.change(), "settle " + task.id());
  }

  @Override
  public GroupWrite applyGroup(GroupRef group) {
    var move = members.next(group);
    if (move.isPresent()) {
      return move.get();
    }
    var surplus = toDrain(group);
    return surplus.isPresent() ? surplus.get() : applyDrainedGroup(group);
  }

  private Optional<DrainFirst> toDrain(GroupRef group) {
    return Optional.ofNullable(leaving.get(group.group()))
        .map(pods -> new DrainFirst(pods, new AgentEndpoint(9090, ""), false));
  }

  @Override
  public void drain(DrainRequest request) {
    for (var pod : request.pods()) {
      operate(request.group().task().change(), "drain " + pod.name());
    }
  }

  @Override
  public Applied applyDrainedGroup(GroupRef group) {
    operate(group.task().change(), (group.task().rollback() ? "restore " : "apply ") + path(group));
    made.apply(group);
    var name = group.group();
    var set = new AppliedStatefulSet(name, 1, "uid-" + name, reloading.contains(name), false);
    return new Applied(Optional.of(set), orderAtOnce(new PodOrderRequest(group, set)));
  }

  @Override
  public Applied applyMembers(MembersWrite request) {
    made.apply(request.group());
    members.write(request.group(), request.members());
    var name = request.group().group();
    var set = new AppliedStatefulSet(name, 1, "uid-" + name);
    return new Applied(Optional.of(set), members.repaired(name));
  }

  private Optional<PodOrder> orderAtOnce(PodOrderRequest request) {
    try {
      return Optional.of(podOrder(request));
    } catch (ApplicationFailure e) {
      return Optional.empty();
    }
  }

  @Override
  public void completeGroup(GroupRef group) {
    operate(group.task().change(), "complete " + path(group));
  }

  @Override
  public void awaitResumed(TaskRef task) {
    operate(task.change(), "await resume");
  }

  @Override
  public void growVolumes(GroupRef group) {
    operate(group.task().change(), "grow " + path(group));
  }

  @Override
  public GroupRemoval removeGroup(GroupRef group) {
    var remaining = toDrain(group);
    if (remaining.isPresent()) {
      return remaining.get();
    }
    removeDrainedGroup(group);
    return new Removed();
  }

  @Override
  public void removeDrainedGroup(GroupRef group) {
    operate(group.task().change(), "remove " + path(group));
  }

  @Override
  public void releaseGroup(GroupRef group) {
    operate(group.task().change(), "release " + path(group));
  }

  @Override
  public void releaseApp(ChangeRef change) {
    operate(change, "release " + change.app());
  }

  @Override
  public Replacement replacePod(ReplaceRequest request) {
    var pod = request.pod().name();
    hang(() -> request.after().filter(made.order(request.group())::contains).isPresent());
    if (pausedBefore.test(request)) {
      return new Paused();
    }
    var why = stale.apply(request);
    operate(request.group().task().change(), (why.isEmpty() ? "replace " : "leave ") + pod);
    if (why.isPresent()) {
      return new OrderStale(why.get());
    }
    made.replace(request.group(), pod);
    return new Replaced(convergesAtOnce && made.order(request.group()).isEmpty());
  }

  @Override
  public Reload reload(ReloadRequest request) {
    operate(request.group().task().change(), "reload " + path(request.group()));
    return new Reload(Optional.ofNullable(degraded.get("reload of " + request.group().group())));
  }

  @Override
  public Optional<String> missing(ConvergeRequest request) {
    return Optional.of("one pod of " + path(request.group()));
  }

  @Override
  public void awaitConverged(ConvergeRequest request) {
    operate(request.group().task().change(), "converged " + path(request.group()));
  }

  @Override
  public void awaitGone(GroupRef group) {
    operate(group.task().change(), "gone " + path(group));
  }

  @Override
  public Optional<String> blocker(TaskRef task) {
    return made.blocker.map(message -> message.formatted(task.component()));
  }

  @Override
  public TaskState taskState(TaskRef task) {
    failAt("task state");
    return made.state(task, groups.getOrDefault(task.component(), List.of()));
  }

  @Override
  public void report(ChangeProgress progress) {
    failAt(progress.end().isPresent() ? "report end" : "report");
    reports.add(progress);
    seen.accept(progress);
  }

  @Override
  public void cancelRun(ChangeRef change) {
    failAt("cancel run");
    var client = Activity.getExecutionContext().getWorkflowClient();
    client.newUntypedWorkflowStub(change.workflowId()).cancel();
  }

  @Override
  public boolean isOver(RunQuestion question) {
    return false;
  }
}
