package io.middleware.engine.cluster.agents;

import io.middleware.engine.api.task.ExecutionOrder;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.workflows.port.PodOrder.OutdatedPod;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Puts pods in order: broken ones first, because they serve no clients; then the others in the
 * order of their agents. If the agents leave the order open, the primary comes last.
 */
final class PodSequence {
  private PodSequence() {}

  /**
   * @param broken in name order
   * @param order of the names of the ready pods
   * @param roles by pod name; unknown roles are left out
   * @param lastPrimary name of the pod that was the primary when its agent was last heard
   */
  static List<OutdatedPod> of(
      List<PodState> broken,
      Map<String, PodState> ready,
      ExecutionOrder order,
      Map<String, String> reported,
      Optional<String> lastPrimary) {
    var roles = new HashMap<>(reported);
    lastPrimary.ifPresent(name -> roles.put(name, OutdatedPod.PRIMARY));
    var isOpen = order.concurrent() || order.degraded().isPresent();
    var names =
        isOpen
            ? Stream.concat(
                order.names().stream().filter(name -> !isPrimary(roles, name)),
                order.names().stream().filter(name -> isPrimary(roles, name)))
            : order.names().stream();
    return Stream.concat(
            broken.stream().map(pod -> new OutdatedPod(pod.name(), pod.uid(), Optional.empty())),
            names.map(
                name ->
                    new OutdatedPod(
                        name,
                        ready.get(name).uid(),
                        role(roles, name),
                        lastPrimary.filter(name::equals).isPresent())))
        .toList();
  }

  private static Optional<String> role(Map<String, String> roles, String name) {
    return Optional.ofNullable(roles.get(name)).filter(role -> !role.isEmpty());
  }

  private static boolean isPrimary(Map<String, String> roles, String name) {
    return OutdatedPod.PRIMARY.equals(roles.get(name));
  }
}
