package io.middleware.engine.activities.resources;

import static java.util.Comparator.comparing;

import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import io.middleware.engine.activities.kubernetes.AppKey;
import io.middleware.engine.activities.kubernetes.ClusterView;
import io.middleware.engine.activities.kubernetes.NaturalOrder;
import io.middleware.engine.activities.kubernetes.PodState;
import io.middleware.engine.activities.kubernetes.Rollout;
import io.middleware.engine.activities.render.guard.RenderedObject;
import io.middleware.engine.activities.render.guard.RenderedObjects;
import io.middleware.engine.workflows.port.DrainFirst.LeavingPod;
import io.middleware.engine.workflows.port.GroupRef;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The pods that are removed for good when a group is written, because its StatefulSet gets smaller.
 * A stopped group is not scaled down: its pods come back with their volumes.
 */
final class ScaledDownPods {
  private final ClusterView view;

  ScaledDownPods(ClusterView view) {
    this.view = view;
  }

  /** The ready ones, in the order in which they are removed. */
  List<LeavingPod> before(GroupRef group, RenderedObjects rendered) {
    var key = AppKey.of(group.task().change());
    return rendered.inOrder().stream()
        .filter(object -> object.kind().kind().equals("StatefulSet"))
        .flatMap(object -> scaledDown(key, object))
        .sorted(comparing(PodState::name, NaturalOrder.OF_NAMES).reversed())
        .map(pod -> new LeavingPod(pod.name(), pod.uid()))
        .toList();
  }

  private Stream<PodState> scaledDown(AppKey key, RenderedObject object) {
    return view.statefulSet(key, object.name()).stream()
        .flatMap(now -> smaller(now, object).stream().flatMap(next -> scaledDown(key, now, next)));
  }

  private Stream<PodState> scaledDown(AppKey key, StatefulSet now, StatefulSet next) {
    return view.podsOf(key, now).stream()
        .filter(pod -> Rollout.isSurplus(next, pod) && !Rollout.isSurplus(now, pod))
        .filter(PodState::isReady);
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
