package io.middleware.engine.activities.rollout;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.cluster.AppKey;
import io.middleware.engine.cluster.AppliedSet;
import io.middleware.engine.cluster.ClusterView;
import io.middleware.engine.cluster.Rollout;
import io.middleware.engine.workflows.port.AppliedStatefulSet;
import io.middleware.engine.workflows.port.PodActivities.ConvergeRequest;
import io.middleware.engine.workflows.port.TaskRef;
import io.temporal.failure.ApplicationFailure;
import java.util.Optional;
import java.util.function.Supplier;

/** What a group's workloads lack to have the state that was applied. */
final class GroupConvergence {
  private final KubernetesClient engine;
  private final ClusterView view;

  /**
   * @param engine client with the engine's own rights
   */
  GroupConvergence(KubernetesClient engine, ClusterView view) {
    this.engine = engine;
    this.view = view;
  }

  /**
   * Whether nothing is missing at this moment; false when that cannot be told. The API server is
   * asked only when the StatefulSet lacks nothing, and only for Deployments.
   */
  boolean isReached(ConvergeRequest request) {
    try {
      return ofStatefulSet(request).get().isEmpty() && missing(request).get().isEmpty();
    } catch (ApplicationFailure e) {
      return false;
    }
  }

  /** Checks again with each call what is missing; empty when nothing is. */
  Supplier<Optional<String>> missing(ConvergeRequest request) {
    var ofSet = ofStatefulSet(request);
    var hasNoDeployment =
        request.statefulSet().filter(AppliedStatefulSet::withoutDeployments).isPresent();
    if (hasNoDeployment || isStorage(request.group().task())) {
      return ofSet;
    }
    var deployments = new AppliedDeployments(engine, view, request.group());
    return () -> ofSet.get().or(deployments::missing);
  }

  private Supplier<Optional<String>> ofStatefulSet(ConvergeRequest request) {
    var task = request.group().task();
    var key = AppKey.of(task.change());
    var set = request.statefulSet().map(it -> new AppliedSet(engine, view, key, it));
    return () -> set.flatMap(it -> statefulSetMissing(task, it, request.statefulSet().get()));
  }

  private Optional<String> statefulSetMissing(
      TaskRef task, AppliedSet applied, AppliedStatefulSet written) {
    var key = AppKey.of(task.change());
    var generation = written.generation();
    return applied
        .observed()
        .map(
            set ->
                isStorage(task)
                    ? Rollout.notAdopted(set, view.orphans(key, set), generation)
                    : view.missing(key, set, written))
        .orElseGet(() -> Optional.of(applied.missing()));
  }

  /** Volumes grow whether pods are ready or not; a replaced StatefulSet must adopt its pods. */
  private static boolean isStorage(TaskRef task) {
    return task.type() == ChangeType.STORAGE;
  }
}
