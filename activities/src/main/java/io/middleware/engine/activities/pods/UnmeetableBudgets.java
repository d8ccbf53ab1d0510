package io.middleware.engine.activities.pods;

import static java.util.stream.Collectors.joining;

import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.middleware.engine.cluster.PodState;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Tells budgets that never allow an eviction from those that do not allow one now. */
final class UnmeetableBudgets {
  private UnmeetableBudgets() {}

  /**
   * Why the pod cannot be evicted even when all pods are healthy, and what helps; empty when some
   * eviction will be allowed, or when that is not known.
   *
   * @param budgets as observed
   */
  static Optional<String> why(Collection<PodDisruptionBudget> budgets, PodState pod) {
    var labels = Objects.requireNonNullElse(pod.pod().getMetadata().getLabels(), Map.of());
    var why =
        budgets.stream()
            .filter(budget -> selects(budget, labels) && isUnmeetable(budget))
            .map(UnmeetableBudgets::message)
            .collect(joining("; "));
    return why.isEmpty() ? Optional.empty() : Optional.of(why);
  }

  private static boolean selects(PodDisruptionBudget budget, Map<?, ?> labels) {
    var selector = budget.getSpec() == null ? null : budget.getSpec().getSelector();
    return selector != null
        && Objects.requireNonNullElse(selector.getMatchExpressions(), List.of()).isEmpty()
        && labels
            .entrySet()
            .containsAll(
                Objects.requireNonNullElse(selector.getMatchLabels(), Map.<String, String>of())
                    .entrySet());
  }

  /** By the newest spec, and only where the API server has counted the pods. */
  private static boolean isUnmeetable(PodDisruptionBudget budget) {
    var status = budget.getStatus();
    return status != null
        && Objects.equals(status.getObservedGeneration(), budget.getMetadata().getGeneration())
        && status.getExpectedPods() != null
        && status.getExpectedPods() > 0
        && status.getDesiredHealthy() != null
        && status.getDesiredHealthy() >= status.getExpectedPods();
  }

  private static String message(PodDisruptionBudget budget) {
    return "PodDisruptionBudget %s wants %d of its %d pods healthy, so it never allows an eviction, however long one waits: set its maxUnavailable to 1 or more (in the Plugin's template, if that makes it), or add pods"
        .formatted(
            budget.getMetadata().getName(),
            budget.getStatus().getDesiredHealthy(),
            budget.getStatus().getExpectedPods());
  }
}
