package io.middleware.engine.activities.resources;

import io.middleware.engine.activities.objects.EngineObjects;
import io.middleware.engine.activities.objects.OntoObserved;
import io.middleware.engine.activities.objects.Undo;
import io.middleware.engine.api.task.ExecutionOrder;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.AppKey;
import io.middleware.engine.cluster.ClusterView;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.Rollout;
import io.middleware.engine.planning.app.NoWayBack;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.OrderingActivities;
import io.middleware.engine.workflows.port.PodOrder;
import io.temporal.failure.ApplicationFailure;
import java.util.function.Supplier;

/**
 * Writes a group back when an agent's order of its pods is refused before any of them is replaced.
 * Otherwise a pod that dies would come back with a template that nobody has brought to the others.
 *
 * <p>A repeat of the question finds the Group as {@link OntoObserved#writtenBy} of the rollback,
 * and completes that instead of asking again.
 */
final class RefusedOrders implements OrderingActivities {
  private static final String TAKEN_BACK =
      "; no pod is replaced, and group %s is written back as it was";

  private final OrderingActivities orders;
  private final EngineObjects engine;
  private final ClusterView view;
  private final GroupApplication application;

  RefusedOrders(
      OrderingActivities orders,
      EngineObjects engine,
      ClusterView view,
      GroupApplication application) {
    this.orders = orders;
    this.engine = engine;
    this.view = view;
    this.application = application;
  }

  @Override
  public ExecutionOrder groupOrder(GroupOrderRequest request) {
    return orders.groupOrder(request);
  }

  @Override
  public ExecutionOrder awaitGroupOrder(GroupOrderRequest request) {
    return orders.awaitGroupOrder(request);
  }

  @Override
  public PodOrder podOrder(PodOrderRequest request) {
    return unlessTakenBack(request, () -> orders.podOrder(request));
  }

  @Override
  public PodOrder awaitPodOrder(PodOrderRequest request) {
    return unlessTakenBack(request, () -> orders.awaitPodOrder(request));
  }

  private PodOrder unlessTakenBack(PodOrderRequest request, Supplier<PodOrder> order) {
    var group = request.group();
    if (isTakenBack(group)) {
      throw takenBack(
          group, "an agent's order of the pods of group %s was refused".formatted(group.group()));
    }
    return orTakenBack(request, order);
  }

  /**
   * The order of what this step has just written.
   *
   * @throws ApplicationFailure of kind INVALID_ORDER, once the group is written back
   */
  PodOrder ofWritten(PodOrderRequest request) {
    return orTakenBack(request, () -> orders.podOrder(request));
  }

  private PodOrder orTakenBack(PodOrderRequest request, Supplier<PodOrder> order) {
    try {
      return order.get();
    } catch (ApplicationFailure e) {
      throw isRefusal(e) && mayTakeBack(request)
          ? takenBack(request.group(), e.getOriginalMessage())
          : e;
    }
  }

  static boolean isRefusal(ApplicationFailure e) {
    return FaultKind.INVALID_ORDER.label().equals(e.getType());
  }

  /** If the write fails, that failure decides whether the step is repeated. */
  private ApplicationFailure takenBack(GroupRef group, String why) {
    application.rewrite(back(group));
    return Faults.of(FaultKind.INVALID_ORDER, why + TAKEN_BACK.formatted(group.group()));
  }

  private boolean isTakenBack(GroupRef ref) {
    return !ref.task().rollback()
        && engine
            .group(ref.task(), ref.group())
            .map(OntoObserved::writtenBy)
            .filter(OntoObserved.writtenBy(ref.task().back())::equals)
            .isPresent();
  }

  private static GroupRef back(GroupRef ref) {
    return new GroupRef(ref.task().back(), ref.group());
  }

  /** Whether the group had a state before this task, as many pods, and still has no new one. */
  private boolean mayTakeBack(PodOrderRequest request) {
    var ref = request.group();
    var task = ref.task();
    return !task.rollback()
        && task.type().isReversible()
        && engine
            .component(task)
            .filter(component -> !NoWayBack.of(component).hasBegun(task.id()))
            .flatMap(component -> Undo.of(task, component))
            .filter(undo -> undo.groupSpec(ref.group()).isPresent())
            .flatMap(undo -> undo.workload(ref.group()))
            .filter(before -> isUntouched(request, before))
            .isPresent();
  }

  private boolean isUntouched(PodOrderRequest request, Undo.Workload before) {
    var key = AppKey.of(request.group().change());
    return view.statefulSet(key, request.statefulSet().name())
        .filter(set -> Rollout.replicas(set) == before.replicas())
        .filter(
            set ->
                view.podsOf(key, set).stream()
                    .noneMatch(pod -> pod.revision().equals(Rollout.revision(set))))
        .isPresent();
  }
}
