package io.middleware.engine.cluster;

import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.middleware.engine.workflows.port.GroupRef;
import java.util.List;
import java.util.Optional;

/** The pods of a group's StatefulSet as the view has them now, without those that go away. */
public record ExistingPods(ClusterView view, AppKey app, String component, String group) {

  public static ExistingPods of(ClusterView view, GroupRef group) {
    return new ExistingPods(
        view, AppKey.of(group.change()), group.task().component(), group.group());
  }

  /** Whether the pod of this uid is still there. */
  public boolean exists(String uid) {
    return all().stream().anyMatch(pod -> pod.uid().equals(uid));
  }

  /** The same pod as it is now; its address may be another one. Empty while it has none. */
  public Optional<PodState> current(String uid) {
    return all().stream().filter(pod -> pod.uid().equals(uid) && pod.ip().isPresent()).findFirst();
  }

  /** Why the pod of this name is not at work, for people. */
  public String trouble(String name) {
    return all().stream()
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
  public List<String> names() {
    return set().map(it -> Rollout.podNames(it, Rollout.replicas(it))).orElseGet(List::of);
  }

  /** Those whose agents can be asked. */
  public List<PodState> ready() {
    return all().stream().filter(pod -> pod.isReady() && pod.ip().isPresent()).toList();
  }

  public List<PodState> all() {
    return set().stream()
        .flatMap(it -> view.podsOf(app, it).stream().filter(pod -> !Rollout.isSurplus(it, pod)))
        .filter(pod -> !pod.isTerminating())
        .toList();
  }

  public Optional<StatefulSet> set() {
    return view.statefulSet(app, component, group);
  }
}
