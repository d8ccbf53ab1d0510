package io.middleware.engine.planning.app;

import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.cluster.Rollout;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The pods of a StatefulSet that may have started with another template than before. A pod that is
 * missing or being deleted is one of them: its successor may be about to start.
 */
public final class RenewedPods {
  private RenewedPods() {}

  /**
   * Their names.
   *
   * @param isOld whether a pod was made of the template from before
   */
  public static List<String> of(StatefulSet set, List<PodState> pods, Predicate<PodState> isOld) {
    var old =
        pods.stream()
            .filter(pod -> !pod.isTerminating() && isOld.test(pod))
            .map(PodState::name)
            .collect(Collectors.toSet());
    return Rollout.podNames(set, Rollout.replicas(set)).stream()
        .filter(name -> !old.contains(name))
        .toList();
  }

  /** The names of those that may have started with the set's newest template. */
  public static List<String> ofNewest(StatefulSet set, List<PodState> pods) {
    var isSeen = Rollout.hasSeen(set, set.getMetadata().getGeneration());
    return of(set, pods, pod -> isSeen && !pod.revision().equals(Rollout.revision(set)));
  }
}
