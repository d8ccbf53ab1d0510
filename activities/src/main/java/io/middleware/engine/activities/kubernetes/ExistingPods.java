package io.middleware.engine.activities.pods;

import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.middleware.engine.activities.kubernetes.AppKey;
import io.middleware.engine.activities.kubernetes.PodState;
import io.middleware.engine.activities.kubernetes.Rollout;
import io.middleware.engine.workflows.port.GroupRef;
import java.util.List;
import java.util.Optional;

/** The pods of a group's StatefulSet as the view has them now. */
record ObservedPods(PodStepContext context, GroupRef group) {

  /** Whether the pod is still one of the group, and is not going away. */
  boolean exists(PodState pod) {
    return existing().stream().anyMatch(it -> it.uid().equals(pod.uid()));
  }

  /** The same pod as it is now; its address may be another one. Empty while it has none. */
  Optional<PodState> current(PodState pod) {
    return existing().stream()
        .filter(it -> it.uid().equals(pod.uid()) && it.ip().isPresent())
        .findFirst();
  }

  /** Why the pod of this name is not at work, for people. */
  String trouble(String name) {
    return existing().stream()
        .filter(pod -> pod.name().equals(name))
        .findFirst()
        .map(
            pod ->
                pod.isReady()
                    ? "pod %s: its agent reports no role".formatted(name)
                    : "pod %s: not ready: %s".formatted(name, pod.trouble()))
        .orElseGet(() -> "pod %s: does not exist yet".formatted(name));
  }

  /** Of the pods that there should be. */
  List<String> names() {
    return set().map(it -> Rollout.podNames(it, Rollout.replicas(it))).orElseGet(List::of);
  }

  List<PodState> ready() {
    return existing().stream().filter(pod -> pod.isReady() && pod.ip().isPresent()).toList();
  }

  /** Without those that are going away. */
  List<PodState> existing() {
    return set().stream()
        .flatMap(
            it ->
                context.view().podsOf(key(), it).stream()
                    .filter(pod -> !Rollout.isSurplus(it, pod)))
        .filter(pod -> !pod.isTerminating())
        .toList();
  }

  Optional<StatefulSet> set() {
    return context.view().statefulSet(key(), group.task().component(), group.group());
  }

  private AppKey key() {
    return AppKey.of(group.change());
  }
}
