package io.middleware.engine.activities.rollout;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.toSet;

import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.middleware.engine.activities.objects.ObservedStatefulSet;
import io.middleware.engine.activities.objects.Undo;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.cluster.Rollout;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Which pods of a group a task, or its rollback, has brought up to date; for groups that it has
 * reached. A pure function of the StatefulSet and its pods.
 *
 * @param before the StatefulSet before the task; empty when unknown, for example for a new group
 * @param rollback whether the task is rolled back
 * @param reload whether agents put the task's values in force, which no pod shows
 */
record GroupPodProgress(Optional<Undo.Workload> before, boolean rollback, boolean reload) {
  GroupPodProgress {
    requireNonNull(before, "before");
  }

  /**
   * The pods with those on their way: the StatefulSet's controller is about to create a successor
   * of each pod that is being deleted, or that is gone and was there before the task.
   */
  Stream<PodState> expected(ObservedStatefulSet observed) {
    var set = observed.set();
    var names = observed.pods().stream().map(PodState::name).collect(toSet());
    var most = before.map(Undo.Workload::replicas).orElse(0);
    var gone =
        Rollout.podNames(set, Math.min(most, Rollout.replicas(set))).stream()
            .filter(name -> !names.contains(name))
            .map(name -> successor(set, name))
            .filter(pod -> isCurrent(set, pod));
    return Stream.concat(
        observed.pods().stream().map(pod -> pod.isTerminating() ? successor(set, pod.name()) : pod),
        gone);
  }

  /** The names of the pods that the task has removed for good, because the set got smaller. */
  Stream<String> gone(ObservedStatefulSet observed) {
    var set = observed.set();
    var names = observed.pods().stream().map(PodState::name).collect(toSet());
    names.addAll(Rollout.podNames(set, Rollout.replicas(set)));
    return Rollout.podNames(set, rollback ? 0 : before.map(Undo.Workload::replicas).orElse(0))
        .stream()
        .filter(name -> !names.contains(name));
  }

  private static PodState successor(StatefulSet set, String name) {
    return PodState.expected(name, Rollout.revision(set));
  }

  /** Whether the pod was made from what the task, or its rollback, has written. */
  boolean isCurrent(StatefulSet set, PodState pod) {
    if (Rollout.isSurplus(set, pod)) {
      return false;
    }
    if (before.isEmpty()) {
      return pod.revision().equals(Rollout.revision(set));
    }
    return rollback ? isOfBefore(pod) : isTouched(set, pod, before.get());
  }

  /** Whether it is unknown if the pod has what the task, or its rollback, brings. */
  boolean isUnknown(StatefulSet set, PodState pod) {
    return reload
        && !rollback
        && isOfBefore(pod)
        && pod.revision().equals(Rollout.revision(set))
        && !isCurrent(set, pod);
  }

  private boolean isOfBefore(PodState pod) {
    return before.filter(was -> was.revisionOf(pod.name()).equals(pod.revision())).isPresent();
  }

  /** If the template has not changed, only an additional pod is the task's work. */
  private boolean isTouched(StatefulSet set, PodState pod, Undo.Workload was) {
    return pod.revision().equals(Rollout.revision(set))
        && (!isOfBefore(pod) || Rollout.isBeyond(set, was.replicas(), pod));
  }
}
