package io.middleware.engine.activities.rollout;

import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.middleware.engine.activities.pods.HoldingChecks;
import io.middleware.engine.activities.pods.PodStepContext;
import io.middleware.engine.cluster.AppKey;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.workflows.port.PodActivities.ReplaceRequest;
import java.util.List;
import java.util.Optional;

/** A pod that is to be replaced beside checks. */
record WatchedPod(PodStepContext context, HoldingChecks checks, ReplaceRequest request) {

  /**
   * Whether no check beside the task fails at the first look. Without a look if this pod is broken,
   * or others of its group are: they may be why a check fails.
   *
   * @throws io.temporal.failure.ApplicationFailure as {@link HoldingChecks#hold}
   */
  boolean mayGo(Optional<StatefulSet> set) {
    var task = request.group().task();
    return task.watched().isEmpty()
        || set.filter(this::hasOnlyReadyPods).isEmpty()
        || checks.hold(task, "pod %s: to be replaced".formatted(request.pod().name()));
  }

  private boolean hasOnlyReadyPods(StatefulSet set) {
    List<PodState> pods = context.view().podsOf(AppKey.of(request.change()), set);
    return pods.stream().anyMatch(pod -> pod.uid().equals(request.pod().uid()))
        && pods.stream().allMatch(PodState::isReady);
  }
}
