package io.middleware.engine.activities.pods;

import io.middleware.engine.activities.kubernetes.PodState;
import io.middleware.engine.activities.kubernetes.Rollout;
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
 * The pods of a group that goes. Whoever made them takes them away; those that a StatefulSet has
 * left behind are deleted here, as nobody else would. From when its App is seen to be deleted by
 * force
 *
 * <ol>
 *   <li>they have {@link #GRACE} to end by themselves;
 *   <li>then they are deleted without one;
 *   <li>those that are there {@link #LAST} later are given up.
 * </ol>
 */
final class TerminatingPods {
  static final Duration GRACE = Duration.ofSeconds(10);
  static final Duration LAST = Duration.ofSeconds(3);

  private final Consumer<PodState> deleter;
  private final Consumer<PodState> killer;
  private final BiConsumer<PodState, String> givenUp;
  private final InstantSource clock;

  /** By uid, and the answer when it was refused. */
  private final Map<String, String> killed = new HashMap<>();

  private final Set<String> deleted = new HashSet<>();

  private Optional<Instant> forced = Optional.empty();

  /**
   * @param deleter deletes a pod
   * @param killer deletes a pod without waiting for its end
   * @param givenUp told of a pod, and why, when nobody waits for it any more
   */
  TerminatingPods(
      Consumer<PodState> deleter,
      Consumer<PodState> killer,
      BiConsumer<PodState, String> givenUp,
      InstantSource clock) {
    this.deleter = deleter;
    this.killer = killer;
    this.givenUp = givenUp;
    this.clock = clock;
  }

  /**
   * Does what is to be done about those that are still there.
   *
   * @param force whether the App is deleted by force
   * @return which ones are waited for; empty when none is
   */
  Optional<String> look(List<PodState> pods, boolean force) {
    if (force && !pods.isEmpty() && isOver(pods)) {
      return Optional.empty();
    }
    if (!force) {
      deleteOrphans(pods);
    }
    return Rollout.first(
        pods.stream()
            .map(pod -> "pod %s: still there: %s".formatted(pod.name(), end(pod)))
            .toList());
  }

  /** Each once, and marked only when it is done: a failure is repeated with the step. */
  private void deleteOrphans(List<PodState> pods) {
    pods.stream()
        .filter(pod -> pod.isOrphan() && !pod.isTerminating() && !deleted.contains(pod.uid()))
        .forEach(
            pod -> {
              deleter.accept(pod);
              deleted.add(pod.uid());
            });
  }

  private boolean isOver(List<PodState> pods) {
    var now = clock.instant();
    var since = forced.orElse(now);
    forced = Optional.of(since);
    if (now.isBefore(since.plus(GRACE))) {
      return false;
    }
    pods.stream().filter(pod -> !killed.containsKey(pod.uid())).forEach(this::kill);
    if (now.isBefore(since.plus(GRACE).plus(LAST))) {
      return false;
    }
    pods.forEach(pod -> givenUp.accept(pod, end(pod) + killed.get(pod.uid())));
    return true;
  }

  private void kill(PodState pod) {
    try {
      killer.accept(pod);
      killed.put(pod.uid(), "");
    } catch (ApplicationFailure e) {
      killed.put(pod.uid(), "; " + e.getOriginalMessage());
    }
  }

  private static String end(PodState pod) {
    return pod.isTerminating() ? pod.trouble() : "not deleted yet";
  }
}
