package io.middleware.engine.activities.resources;

import static java.util.Objects.requireNonNull;

import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.middleware.engine.activities.kubernetes.PodState;
import io.middleware.engine.activities.kubernetes.Rollout;
import java.util.Optional;

/**
 * How far a task, or its rollback, has come on the pods of a group that it has come to; a pure look
 * at its StatefulSet.
 *
 * @param before how that was before the task; empty when it is not known, as of a new group
 * @param rollback whether it is the way back
 * @param reload whether agents are to put in force what the task brings, which no pod shows
 */
record GroupPodProgress(Optional<Undo.Workload> before, boolean rollback, boolean reload) {
  GroupPodProgress {
    requireNonNull(before, "before");
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

  /** Whether nobody can say if it has what the task brings. */
  boolean isUnknown(StatefulSet set, PodState pod) {
    return reload
        && !rollback
        && isOfBefore(pod)
        && pod.revision().equals(Rollout.revision(set))
        && !isCurrent(set, pod);
  }

  private boolean isOfBefore(PodState pod) {
    return before.filter(was -> was.revision().equals(pod.revision())).isPresent();
  }

  /** Where the template is as it was, only a pod that there was not is the task's work. */
  private boolean isTouched(StatefulSet set, PodState pod, Undo.Workload was) {
    return pod.revision().equals(Rollout.revision(set))
        && (!isOfBefore(pod) || Rollout.isBeyond(set, was.replicas(), pod));
  }
}
