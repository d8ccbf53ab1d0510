package io.middleware.engine.activities.rollout;

import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.cluster.Rollout;
import io.middleware.engine.workflows.port.PodActivities.LeftAlone;
import io.middleware.engine.workflows.port.PodActivities.OrderStale;
import io.middleware.engine.workflows.port.PodActivities.ReplaceRequest;
import io.middleware.engine.workflows.port.PodOrder.OutdatedPod;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Whether a pod may be replaced now; a pure function of its StatefulSet and pods. */
sealed interface ReplacementDecision {
  /** The pod may be replaced. */
  record ReplaceNow() implements ReplacementDecision {}

  /** The pod may be replaced later. */
  record WaitFor(String why) implements ReplacementDecision {}

  /** The pod is left alone, and the caller asks for a new order. */
  record LeaveAlone(LeftAlone why) implements ReplacementDecision {}

  /** A StatefulSet and its pods as last observed. */
  record ObservedSet(StatefulSet set, List<PodState> pods) {}

  /**
   * Decides by the first rule that applies:
   *
   * <ol>
   *   <li>A broken pod is replaced now, whatever state the others are in.
   *   <li>If as many other pods are missing or not ready as the batch allows, and one of them is
   *       out of date and broken, the order is stale: that pod must go first, because it will not
   *       become ready by itself.
   *   <li>If as many are missing or not ready, the pod waits for them.
   *   <li>If the pod's role has changed since the order and another pod is out of date, the order
   *       is stale: that pod may have to go first.
   *   <li>Otherwise the pod is replaced now.
   * </ol>
   *
   * <p>The last order of a group is never stale.
   *
   * @param pod from the API server
   * @param role as its agent reports it now; empty when unknown, which never makes an order stale
   */
  static ReplacementDecision of(
      ReplaceRequest request, PodState pod, String role, ObservedSet observed) {
    if (!pod.isReady()) {
      return new ReplaceNow();
    }
    var others =
        observed.pods().stream()
            .filter(other -> !other.name().equals(pod.name()))
            .filter(other -> !Rollout.isSurplus(observed.set(), other))
            .toList();
    var kept = request.statefulSet().kept();
    var outdated =
        Rollout.outdated(observed.set(), others).stream()
            .filter(other -> !kept.contains(other.name()))
            .toList();
    var wait = batchIsFull(observed, pod, others, request.batchSize());
    var stale = wait.isPresent() ? broken(outdated) : roleChanged(request.pod(), role, outdated);
    return stale.filter(why -> !request.lastOrder()).or(() -> wait).orElseGet(ReplaceNow::new);
  }

  private static Optional<ReplacementDecision> batchIsFull(
      ObservedSet observed, PodState pod, List<PodState> others, int batchSize) {
    var set = observed.set();
    var ready =
        others.stream().filter(PodState::isReady).count()
            - Rollout.unavailable(set, observed.pods());
    if (Rollout.replicas(set) - 1 - ready < batchSize) {
      return Optional.empty();
    }
    var why =
        others.stream()
            .filter(other -> !other.isReady())
            .findFirst()
            .map(other -> "pod %s: not ready: %s".formatted(other.name(), other.trouble()))
            .or(() -> Rollout.unavailableMessage(set, observed.pods()))
            .orElseGet(
                () ->
                    "StatefulSet %s: pods are missing: %s"
                        .formatted(set.getMetadata().getName(), missing(set, pod, others)));
    return Optional.of(new WaitFor(why));
  }

  private static String missing(StatefulSet set, PodState pod, List<PodState> others) {
    var existing = Stream.concat(Stream.of(pod), others.stream()).map(PodState::name).toList();
    return Rollout.firstFew(
            Rollout.podNames(set, Rollout.replicas(set)).stream()
                .filter(name -> !existing.contains(name))
                .toList())
        .orElse("");
  }

  /** A pod that is being deleted does not count: its successor is up to date. */
  private static Optional<ReplacementDecision> broken(List<PodState> outdated) {
    return outdated.stream()
        .filter(pod -> !pod.isReady() && !pod.isTerminating())
        .findFirst()
        .map(
            pod ->
                stale(
                    "pod %s must be replaced first, because it is not ready: %s"
                        .formatted(pod.name(), pod.trouble())));
  }

  private static Optional<ReplacementDecision> roleChanged(
      OutdatedPod ordered, String role, List<PodState> outdated) {
    if (outdated.isEmpty() || role.isEmpty() || role.equals(ordered.role().orElse(""))) {
      return Optional.empty();
    }
    var before = ordered.role().orElse("unknown");
    return Optional.of(
        stale(
            "the role of pod %s is %s; it was %s when the pods were put in order"
                .formatted(ordered.name(), role, before)));
  }

  /** The order is no longer valid. */
  static ReplacementDecision stale(String why) {
    return new LeaveAlone(new OrderStale(why));
  }
}
