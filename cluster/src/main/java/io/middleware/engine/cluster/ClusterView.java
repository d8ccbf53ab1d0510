package io.middleware.engine.cluster;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Labels;
import io.middleware.engine.process.pods.PodNames;
import io.middleware.engine.workflows.port.AppliedStatefulSet;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The cluster as last observed, by App; a few milliseconds behind the API server. The objects are
 * shared between callers and must not be modified.
 */
public interface ClusterView {

  Optional<App> app(AppKey key);

  /** Whether the view follows the API server; false while it connects again. */
  boolean isWatching();

  /** All pods that carry the App's label. */
  List<PodState> pods(AppKey key);

  List<StatefulSet> statefulSets(AppKey key);

  List<Deployment> deployments(AppKey key);

  List<PodDisruptionBudget> budgets(AppKey key);

  /** All Jobs that carry the App's label. */
  List<Job> jobs(AppKey key);

  /** All PersistentVolumeClaims that carry the App's label. */
  List<VolumeState> volumes(AppKey key);

  /** From now on, every change to an object of the App triggers the returned wakeup. */
  Wakeup listen(AppKey key);

  default Optional<StatefulSet> statefulSet(AppKey key, String name) {
    return statefulSets(key).stream()
        .filter(set -> name.equals(set.getMetadata().getName()))
        .findFirst();
  }

  /** The StatefulSet that was applied; not an earlier one of the same name that it replaced. */
  default Optional<StatefulSet> statefulSet(AppKey key, AppliedStatefulSet applied) {
    return statefulSet(key, applied.name())
        .filter(set -> applied.uid().equals(set.getMetadata().getUid()));
  }

  /** The pods of a replaced StatefulSet that the new one has not adopted yet. */
  default List<PodState> orphans(AppKey key, StatefulSet set) {
    return pods(key).stream()
        .filter(pod -> PodNames.isNumbered(set.getMetadata().getName(), pod.name()))
        .filter(pod -> !pod.isTerminating() && !pod.isControlledBy(set))
        .toList();
  }

  /**
   * Why not all pods of the set are up to date and ready; empty when they are. Pods that have left
   * it come first: nothing else helps while they have its names.
   */
  default Optional<String> missing(AppKey key, StatefulSet set, long generation) {
    var metadata = set.getMetadata();
    var whole = new AppliedStatefulSet(metadata.getName(), generation, metadata.getUid());
    return missing(key, set, whole);
  }

  /** The same where some pods may be out of date, and others are not waited for. */
  default Optional<String> missing(AppKey key, StatefulSet set, AppliedStatefulSet written) {
    return Rollout.missing(set, awaited(set, podsOf(key, set), Instant.now()), written)
        .map(
            missing ->
                String.join(
                    "; ",
                    Stream.concat(
                            Rollout.occupied(set, pods(key)).stream().limit(1), Stream.of(missing))
                        .toList()));
  }

  /**
   * Those of the pods that a change waits for. Pods above the set's number are not, when all of
   * them should be gone for long: they may never go, and the others are all that the set is to
   * have. A set that is to have none waits for each.
   */
  private static List<PodState> awaited(StatefulSet set, List<PodState> pods, Instant now) {
    var surplus = pods.stream().filter(pod -> Rollout.isSurplus(set, pod)).toList();
    return Rollout.replicas(set) > 0 && surplus.stream().allMatch(pod -> pod.isStuck(now))
        ? pods.stream().filter(pod -> !surplus.contains(pod)).toList()
        : pods;
  }

  /** The pods that this StatefulSet controls; labels alone do not make a pod part of a group. */
  default List<PodState> podsOf(AppKey key, StatefulSet set) {
    return pods(key).stream().filter(pod -> pod.isControlledBy(set)).toList();
  }

  /** The pods that the component's Groups run. */
  default List<PodState> podsOf(AppKey key, String component) {
    return statefulSets(key, component).stream().flatMap(set -> podsOf(key, set).stream()).toList();
  }

  /** Whether the component's Groups have StatefulSets, all with 0 replicas and without pods. */
  default boolean isIdle(AppKey key, String component) {
    var sets = statefulSets(key, component);
    return !sets.isEmpty()
        && sets.stream().allMatch(set -> Rollout.replicas(set) == 0 && podsOf(key, set).isEmpty());
  }

  /** The StatefulSets of the component's Groups. */
  default List<StatefulSet> statefulSets(AppKey key, String component) {
    return statefulSets(key).stream().filter(set -> isOfComponent(component, set)).toList();
  }

  /** The StatefulSet of a Group of the component; a group has one at most. */
  default Optional<StatefulSet> statefulSet(AppKey key, String component, String group) {
    return statefulSets(key, component).stream()
        .filter(set -> carries(set, Map.of(Labels.GROUP, group)))
        .findFirst();
  }

  /** Whether the object carries all these labels. */
  static boolean carries(HasMetadata object, Map<String, String> labels) {
    var own = object.getMetadata().getLabels();
    return own != null && own.entrySet().containsAll(labels.entrySet());
  }

  /** Whether the Group of this name controls the object. */
  static boolean isOf(String group, HasMetadata object) {
    return object.getMetadata().getOwnerReferences().stream()
        .anyMatch(owner -> isGroup(owner) && group.equals(owner.getName()));
  }

  /** Whether a Group of the component controls the StatefulSet. */
  static boolean isOfComponent(String component, StatefulSet set) {
    return carries(set, Map.of(Labels.COMPONENT, component))
        && set.getMetadata().getOwnerReferences().stream().anyMatch(ClusterView::isGroup);
  }

  private static boolean isGroup(OwnerReference owner) {
    return Boolean.TRUE.equals(owner.getController())
        && "Group".equals(owner.getKind())
        && owner.getApiVersion().startsWith("middleware.io/");
  }
}
