package io.middleware.engine.activities.pods;

import io.middleware.engine.activities.kubernetes.AppKey;
import io.middleware.engine.activities.kubernetes.PodState;
import io.middleware.engine.activities.kubernetes.Rollout;
import io.middleware.engine.api.App;
import io.middleware.engine.workflows.port.PodActivities.ConvergeRequest;
import java.util.HashSet;
import java.util.Set;

/**
 * The broken ones among the pods that a smaller or stopped StatefulSet should not have any more.
 * Its controller takes pods away one by one from the last, and before it takes a broken one it
 * waits until a broken one with a lower number is ready: two of them would keep an App from being
 * stopped for ever.
 */
final class SurplusPods {
  private final PodEvictor remover = new PodEvictor();
  private final Set<String> removed = new HashSet<>();
  private final PodReplacement.Cluster cluster;
  private final ConvergeRequest request;
  private final App app;

  /**
   * @param app in whose name pods are deleted
   */
  SurplusPods(PodReplacement.Cluster cluster, ConvergeRequest request, App app) {
    this.cluster = cluster;
    this.request = request;
    this.app = app;
  }

  /** Deletes those that are seen at this moment, each once. */
  void removeBroken() {
    var key = AppKey.of(request.group().task().change());
    request
        .statefulSet()
        .flatMap(
            applied ->
                cluster
                    .view()
                    .statefulSet(key, applied)
                    .filter(set -> Rollout.hasSeen(set, applied.generation())))
        .ifPresent(
            set ->
                cluster.view().podsOf(key, set).stream()
                    .filter(pod -> Rollout.isSurplus(set, pod))
                    .filter(pod -> !pod.isReady() && !pod.isTerminating())
                    .filter(pod -> !removed.contains(pod.uid()))
                    .forEach(this::remove));
  }

  private void remove(PodState pod) {
    if (remover.remove(cluster.writers().of(app), pod) instanceof PodEvictor.Outcome.Leaving) {
      removed.add(pod.uid());
    }
  }
}
