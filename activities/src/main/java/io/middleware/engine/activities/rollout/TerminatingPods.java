package io.middleware.engine.activities.rollout;

import io.middleware.engine.cluster.PodState;
import io.middleware.engine.cluster.Rollout;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * The pods of a group that is being deleted. Their controllers delete them; orphans of a
 * StatefulSet are deleted here, because they have no controller. Once the App is deleted by force:
 *
 * <ol>
 *   <li>the pods have {@link #GRACE} to terminate by themselves;
 *   <li>then they are deleted without a grace period;
 *   <li>pods that still exist {@link #LAST} later are abandoned.
 * </ol>
 */
final class TerminatingPods {
  static final Duration GRACE = Duration.ofSeconds(10);
  static final Duration LAST = Duration.ofSeconds(3);

  private final Consumer<PodState> deleter;
  private final Consumer<PodState> forceDeleter;
  private final BiConsumer<PodState, String> abandoned;
  private final InstantSource clock;

  /** By uid; the value is empty, or the error message of the deletion. */
  private final Map<String, String> forceDeleted = new HashMap<>();

  private final Set<String> deleted = new HashSet<>();

  private Optional<Instant> forcedSince = Optional.empty();

  /**
   * @param deleter deletes a pod
   * @param forceDeleter deletes a pod without a grace period
   * @param abandoned receives each pod that is not waited for any longer, and its state
   */
  TerminatingPods(
      Consumer<PodState> deleter,
      Consumer<PodState> forceDeleter,
      BiConsumer<PodState, String> abandoned,
      InstantSource clock) {
    this.deleter = deleter;
    this.forceDeleter = forceDeleter;
    this.abandoned = abandoned;
    this.clock = clock;
  }

  /**
   * Deletes what must be deleted now.
   *
   * @param pods that still exist
   * @param force whether the App is deleted by force
   * @return the pods that are waited for; empty when there is none
   */
  Optional<String> check(List<PodState> pods, boolean force) {
    if (force && !pods.isEmpty() && isTimeOver(pods)) {
      return Optional.empty();
    }
    if (!force) {
      deleteOrphans(pods);
    }
    return Rollout.firstFew(
        pods.stream()
            .map(pod -> "pod %s: still exists: %s".formatted(pod.name(), state(pod)))
            .toList());
  }

  /** Each once. A failed deletion is not marked: it is retried together with the step. */
  private void deleteOrphans(List<PodState> pods) {
    pods.stream()
        .filter(pod -> pod.isOrphan() && !pod.isTerminating() && !deleted.contains(pod.uid()))
        .forEach(
            pod -> {
              deleter.accept(pod);
              deleted.add(pod.uid());
            });
  }

  private boolean isTimeOver(List<PodState> pods) {
    var now = clock.instant();
    var since = forcedSince.orElse(now);
    forcedSince = Optional.of(since);
    if (now.isBefore(since.plus(GRACE))) {
      return false;
    }
    pods.stream().filter(pod -> !forceDeleted.containsKey(pod.uid())).forEach(this::forceDelete);
    if (now.isBefore(since.plus(GRACE).plus(LAST))) {
      return false;
    }
    pods.forEach(pod -> abandoned.accept(pod, state(pod) + forceDeleted.get(pod.uid())));
    return true;
  }

  private void forceDelete(PodState pod) {
    try {
      forceDeleter.accept(pod);
      forceDeleted.put(pod.uid(), "");
    } catch (ApplicationFailure e) {
      forceDeleted.put(pod.uid(), "; " + e.getOriginalMessage());
    }
  }

  private static String state(PodState pod) {
    return pod.isTerminating() ? pod.trouble() : "not deleted yet";
  }
}
