package io.middleware.engine.activities.rollout;

import io.middleware.engine.api.Role;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.cluster.agents.AgentQueries;
import io.middleware.engine.cluster.agents.LastPrimaries;
import io.middleware.engine.workflows.port.PodActivities.ReplaceRequest;
import java.util.List;

/**
 * The role of a pod just before it is replaced.
 *
 * @param agents asked for it
 * @param lastPrimaries asked when an agent does not answer
 */
record RoleNow(AgentQueries agents, LastPrimaries lastPrimaries) {

  /**
   * As its agent reports it. A silent agent whose pod was the primary when it was last heard does
   * not make it a replica. Empty when nothing is known.
   *
   * @param pods among which it is
   */
  String of(ReplaceRequest request, List<PodState> pods) {
    return pods.stream()
        .filter(pod -> pod.uid().equals(request.pod().uid()))
        .filter(pod -> pod.isReady() && agents.hasAgent(request.agents(), pod))
        .findFirst()
        .map(pod -> of(request, pod))
        .orElse("");
  }

  /** The call is retried only where the role decides on a switchover. */
  private String of(ReplaceRequest request, PodState pod) {
    if (!request.switchover()) {
      return agents.once().role(request.agents(), pod);
    }
    var reported = agents.role(request.agents(), pod);
    return reported.isEmpty() && lastPrimaries.of(request.group(), List.of(pod)).isPresent()
        ? Role.PRIMARY
        : reported;
  }
}
