package io.middleware.engine.activities.resources;

import static java.util.Comparator.comparing;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Labels;
import io.middleware.engine.cluster.AppKey;
import io.middleware.engine.cluster.ClusterView;
import io.middleware.engine.cluster.NaturalOrder;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.cluster.Rollout;
import io.middleware.engine.cluster.status.EngineEvent;
import io.middleware.engine.cluster.status.EventRecorder;
import io.middleware.engine.render.guard.RenderedObject;
import io.middleware.engine.render.guard.RenderedObjects;
import io.middleware.engine.workflows.port.GroupRef;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The pods that a step takes away. They are removed for good when a group is written, because its
 * StatefulSet gets smaller, or with the group. A stopped group is not scaled down: its pods come
 * back with their volumes.
 */
final class ScaledDownPods {
  private final ClusterView view;
  private final EventRecorder events;

  ScaledDownPods(ClusterView view, EventRecorder events) {
    this.view = view;
    this.events = events;
  }

  /** Those that are removed for good by a smaller StatefulSet, in this order. */
  List<PodState> removed(GroupRef group, RenderedObjects rendered) {
    var key = AppKey.of(group.task().change());
    return inOrder(sets(rendered).flatMap(object -> scaledDown(key, object)));
  }

  /**
   * Those of StatefulSets that are to have no pod any more, or are not rendered any more.
   *
   * @param isStopped whether the group is: then so is a StatefulSet whose template sets no replicas
   */
  List<PodState> stopped(GroupRef group, RenderedObjects rendered, boolean isStopped) {
    var key = AppKey.of(group.task().change());
    var kept =
        sets(rendered)
            .filter(object -> replicas(object).orElse(isStopped ? 0 : 1) != 0)
            .map(RenderedObject::name)
            .toList();
    return inOrder(
        view.statefulSets(key, group.task().component()).stream()
            .filter(set -> ClusterView.carries(set, Map.of(Labels.GROUP, group.group())))
            .filter(set -> !kept.contains(set.getMetadata().getName()))
            .filter(set -> Rollout.replicas(set) > 0)
            .flatMap(set -> view.podsOf(key, set).stream())
            .filter(pod -> !pod.isTerminating()));
  }

  /** The pods that a StatefulSet has, without those that are being deleted. */
  List<PodState> of(GroupRef group, String set) {
    var key = AppKey.of(group.change());
    return view.statefulSet(key, set).stream()
        .flatMap(now -> view.podsOf(key, now).stream())
        .filter(pod -> !pod.isTerminating())
        .toList();
  }

  /** Whether a StatefulSet is to have pods as it is. */
  boolean areThere(GroupRef group, String set) {
    return view.statefulSet(AppKey.of(group.change()), set)
        .filter(now -> Rollout.replicas(now) > 0)
        .isPresent();
  }

  /** Those of the group's Deployments, whose controllers replace and remove them without asking. */
  List<PodState> ofDeployments(GroupRef group) {
    var task = group.task();
    var labels = Labels.selector(task.change().app(), task.component(), group.group());
    return inOrder(
        view.pods(AppKey.of(task.change())).stream()
            .filter(pod -> ClusterView.carries(pod.pod(), labels) && !pod.isTerminating())
            .filter(
                pod ->
                    pod.controller().filter(it -> it.getKind().equals("ReplicaSet")).isPresent()));
  }

  private static Stream<RenderedObject> sets(RenderedObjects rendered) {
    return rendered.inOrder().stream().filter(object -> object.kind().kind().equals("StatefulSet"));
  }

  private static List<PodState> inOrder(Stream<PodState> pods) {
    return pods.sorted(comparing(PodState::name, NaturalOrder.OF_NAMES).reversed()).toList();
  }

  /** Records an event for each pod, in the background, once the smaller StatefulSet is written. */
  void report(App app, GroupRef group, List<PodState> removed) {
    report(app, removed, "group %s gets smaller".formatted(group.group()));
  }

  /** The pods that these workloads of a group have created. */
  List<PodState> of(GroupRef group, List<? extends HasMetadata> workloads) {
    return inOrder(
        view.pods(AppKey.of(group.task().change())).stream()
            .filter(pod -> workloads.stream().anyMatch(workload -> made(workload, pod))));
  }

  /** A Deployment's ReplicaSets are named after it. */
  private static boolean made(HasMetadata workload, PodState pod) {
    var child = workload.getMetadata().getName() + "-";
    return pod.isControlledBy(workload)
        || workload.getKind().equals("Deployment")
            && pod.controller()
                .filter(owner -> owner.getKind().equals("ReplicaSet"))
                .filter(owner -> owner.getName().startsWith(child))
                .isPresent();
  }

  /** The same of pods that go with their group. */
  void reportWithGroup(App app, GroupRef group, List<PodState> removed) {
    var name = group.task().component() + "/" + group.group();
    report(app, removed, "group %s is removed".formatted(name));
  }

  private void report(App app, List<PodState> removed, String why) {
    if (!removed.isEmpty()) {
      Thread.startVirtualThread(() -> removed.forEach(pod -> events.record(app, event(pod, why))));
    }
  }

  private static EngineEvent event(PodState pod, String why) {
    return new EngineEvent(
        "PodRemoved/" + pod.uid(),
        EngineEvent.Kind.NORMAL,
        "PodRemoved",
        "Remove",
        "pod %s is removed for good: %s".formatted(pod.name(), why));
  }

  private Stream<PodState> scaledDown(AppKey key, RenderedObject object) {
    return view.statefulSet(key, object.name()).stream()
        .flatMap(now -> smaller(now, object).stream().flatMap(next -> scaledDown(key, now, next)));
  }

  private Stream<PodState> scaledDown(AppKey key, StatefulSet now, StatefulSet next) {
    return view.podsOf(key, now).stream()
        .filter(pod -> Rollout.isSurplus(next, pod) && !Rollout.isSurplus(now, pod));
  }

  /** The StatefulSet with its new number of pods, if that is smaller but not zero. */
  private static Optional<StatefulSet> smaller(StatefulSet now, RenderedObject object) {
    return replicas(object)
        .filter(replicas -> replicas > 0 && replicas < Rollout.replicas(now))
        .map(
            replicas ->
                new StatefulSetBuilder(now).editSpec().withReplicas(replicas).endSpec().build());
  }

  private static Optional<Integer> replicas(RenderedObject object) {
    return object.tree().get("spec") instanceof Map<?, ?> spec
            && spec.get("replicas") instanceof Number number
        ? Optional.of(number.intValue())
        : Optional.empty();
  }
}
