package io.middleware.engine.activities.backup;

import io.middleware.engine.api.Role;
import io.middleware.engine.cluster.NaturalOrder;
import io.middleware.engine.cluster.PodState;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Chooses the pod of a group that is copied: a replica, which spares the primary the work; the
 * primary only when it is the group's only pod, or when no replica can.
 *
 * @param roles of the ready pods that have not refused; empty where the agent does not say
 * @param alone whether the group has one pod
 */
record CopySource(Map<PodState, String> roles, boolean alone) {
  private static final Comparator<PodState> BY_NAME =
      Comparator.comparing(PodState::name, NaturalOrder.OF_NAMES);

  /**
   * @param evenPrimary whether no replica is waited for any longer
   */
  Optional<PodState> choose(boolean evenPrimary) {
    if (alone) {
      return roles.keySet().stream().min(BY_NAME);
    }
    return replicas().min(BY_NAME).or(() -> evenPrimary ? primaries().min(BY_NAME) : none());
  }

  private Stream<PodState> replicas() {
    return roles.keySet().stream()
        .filter(pod -> !roles.get(pod).isEmpty() && !Role.PRIMARY.equals(roles.get(pod)));
  }

  private Stream<PodState> primaries() {
    return roles.keySet().stream().filter(pod -> Role.PRIMARY.equals(roles.get(pod)));
  }

  private static Optional<PodState> none() {
    return Optional.empty();
  }
}
