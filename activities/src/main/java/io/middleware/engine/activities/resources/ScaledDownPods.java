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
 * The pods that go for good when a group is written, as its StatefulSet gets smaller. A group that
 * is stopped keeps what its pods hold.
 */
final class ScaledDownPods {
  private final ClusterView view;

  ScaledDownPods(ClusterView view) {
    this.view = view;
  }

  /** Those that can be spoken to, in the order in which they go. */
  List<LeavingPod> before(GroupRef group, RenderedObjects rendered) {
    var key = AppKey.of(group.task().change());
    return rendered.inOrder().stream()
        .filter(object -> object.kind().kind().equals("StatefulSet"))
        .flatMap(object -> leaving(key, object))
        .sorted(comparing(PodState::name, NaturalOrder.OF_NAMES).reversed())
        .map(pod -> new LeavingPod(pod.name(), pod.uid()))
        .toList();
  }

  private Stream<PodState> leaving(AppKey key, RenderedObject object) {
    return view.statefulSet(key, object.name()).stream()
        .flatMap(now -> smaller(now, object).stream().flatMap(next -> leaving(key, now, next)));
  }

  private Stream<PodState> leaving(AppKey key, StatefulSet now, StatefulSet next) {
    return view.podsOf(key, now).stream()
        .filter(pod -> Rollout.isSurplus(next, pod) && !Rollout.isSurplus(now, pod))
        .filter(PodState::isReady);
  }

  /** The set as it is to be, when it is to have fewer pods but some. */
  private static Optional<StatefulSet> smaller(StatefulSet now, RenderedObject object) {
    return replicas(object)
        .filter(wanted -> wanted > 0 && wanted < Rollout.replicas(now))
        .map(
            wanted ->
                new StatefulSetBuilder(now).editSpec().withReplicas(wanted).endSpec().build());
  }

  private static Optional<Integer> replicas(RenderedObject object) {
    return object.tree().get("spec") instanceof Map<?, ?> spec
            && spec.get("replicas") instanceof Number number
        ? Optional.of(number.intValue())
        : Optional.empty();
  }
}
