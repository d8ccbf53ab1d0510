package io.middleware.engine.activities.pods;

import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.middleware.engine.activities.kubernetes.PodState;
import io.middleware.engine.activities.kubernetes.Rollout;
import io.middleware.engine.workflows.port.PodActivities.ReplaceRequest;
import io.middleware.engine.workflows.port.PodOrder.OutdatedPod;
import java.util.List;
import java.util.Optional;

/** Whether it is a pod's turn to be replaced; a pure look at its set. */
sealed interface ReplacementDecision {
  /** It is. */
  record ReplaceNow() implements ReplacementDecision {}

  /** It will be. */
  record WaitFor(String why) implements ReplacementDecision {}

  /** It is not: the order holds no more, and the next one must be asked for. */
  record OrderStale(String why) implements ReplacementDecision {}

  /** The pods of a set as last seen. */
  record Scene(StatefulSet set, List<PodState> pods) {}

  /**
   * A broken pod is taken whatever the others do. A ready one waits for those that are on their
   * way; its order holds no more when one is out of date and broken, as that one must go first and
   * will not get ready by itself, or when the pod has another role and others could go before it.
   *
   * @param pod as it stands now
   * @param role as its agent says now; empty when unknown, which is no reason to stop
   */
  static ReplacementDecision of(ReplaceRequest request, PodState pod, String role, Scene scene) {
    if (!pod.isReady()) {
      return new ReplaceNow();
    }
    var others = scene.pods().stream().filter(other -> !other.name().equals(pod.name())).toList();
    var outdated = Rollout.outdated(scene.set(), others);
    var crowd = crowd(scene, others, request.batchSize());
    var stale = crowd.isPresent() ? broken(outdated) : moved(request.pod(), role, outdated);
    return stale.filter(why -> !request.lastOrder()).or(() -> crowd).orElseGet(ReplaceNow::new);
  }

  /** Too many of the others are missing. */
  private static Optional<ReplacementDecision> crowd(
      Scene scene, List<PodState> others, int batchSize) {
    var ready = others.stream().filter(PodState::isReady).count();
    if (Rollout.wanted(scene.set()) - 1 - ready < batchSize) {
      return Optional.empty();
    }
    var why =
        others.stream()
            .filter(pod -> !pod.isReady())
            .findFirst()
            .map(pod -> "pod %s: not ready: %s".formatted(pod.name(), pod.trouble()))
            .orElse("StatefulSet %s: pods missing".formatted(scene.set().getMetadata().getName()));
    return Optional.of(new WaitFor(why));
  }

  /** What was made during the change is up to date, and what is going will be made again. */
  private static Optional<ReplacementDecision> broken(List<PodState> outdated) {
    return outdated.stream()
        .filter(pod -> !pod.isReady() && !pod.isTerminating())
        .findFirst()
        .map(
            pod ->
                new OrderStale(
                    "pod %s must go first, it is not ready: %s"
                        .formatted(pod.name(), pod.trouble())));
  }

  private static Optional<ReplacementDecision> moved(
      OutdatedPod ordered, String role, List<PodState> outdated) {
    if (outdated.isEmpty() || role.isEmpty() || role.equals(ordered.role().orElse(""))) {
      return Optional.empty();
    }
    var before = ordered.role().orElse("unknown");
    return Optional.of(
        new OrderStale(
            "pod %s is %s, its role was %s when pods were put in order"
                .formatted(ordered.name(), role, before)));
  }
}
