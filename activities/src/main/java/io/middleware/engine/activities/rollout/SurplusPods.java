package io.middleware.engine.activities.rollout;

import io.middleware.engine.activities.pods.PodEvictor.RemovalAnswer.RemovalAccepted;
import io.middleware.engine.activities.pods.PodStepContext;
import io.middleware.engine.api.App;
import io.middleware.engine.cluster.AppKey;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.cluster.Rollout;
import io.middleware.engine.workflows.port.PodActivities.ConvergeRequest;
import java.util.HashSet;
import java.util.Set;

/**
 * The broken pods that a scaled-down or stopped StatefulSet should no longer have. Its controller
 * deletes surplus pods one by one from the last. Before it deletes a broken one, it waits until a
 * broken one with a lower number is ready, so two of them would keep an App from stopping for ever.
 */
final class SurplusPods {
  private final Set<String> removed = new HashSet<>();
  private final PodStepContext context;
  private final ConvergeRequest request;
  private final App app;

  /**
   * @param app whose service account deletes the pods
   */
  SurplusPods(PodStepContext context, ConvergeRequest request, App app) {
    this.context = context;
    this.request = request;
    this.app = app;
  }

  /** Deletes the broken surplus pods that exist now, each once. */
  void removeBroken() {
    var key = AppKey.of(request.group().task().change());
    request
        .statefulSet()
        .flatMap(
            applied ->
                context
                    .view()
                    .statefulSet(key, applied)
                    .filter(set -> Rollout.hasSeen(set, applied.generation())))
        .ifPresent(
            set ->
                context.view().podsOf(key, set).stream()
                    .filter(pod -> Rollout.isSurplus(set, pod))
                    .filter(pod -> !pod.isReady() && !pod.isTerminating())
                    .filter(pod -> !removed.contains(pod.uid()))
                    .forEach(this::remove));
  }

  private void remove(PodState pod) {
    var change = request.group().change();
    var now = context.view().app(AppKey.of(change)).orElse(app); // it may accept a loss by now
    if (context.evictor().removeUnlessKept(now, change.generation(), pod)
        instanceof RemovalAccepted) {
      removed.add(pod.uid());
    }
  }
}
