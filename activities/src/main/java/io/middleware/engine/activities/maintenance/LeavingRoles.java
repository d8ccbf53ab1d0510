package io.middleware.engine.activities.maintenance;

import io.middleware.engine.activities.pods.PodRoles;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.cluster.agents.AgentQueries;
import io.middleware.engine.cluster.agents.LastPrimaries;
import io.middleware.engine.workflows.port.PodActivities.DrainRequest;
import java.util.List;
import java.util.Optional;

/** Which of the pods that are about to be removed for good is the primary. */
record LeavingRoles(AgentQueries queries, LastPrimaries lastPrimaries, DrainRequest request) {

  /**
   * A primary.
   *
   * @param remembered whether it was the primary when its agent was last heard: now it is silent
   */
  record FoundPrimary(PodState pod, boolean remembered) {}

  /** Blocks until all agents have answered, or do not. */
  Optional<FoundPrimary> primary(List<PodState> pods) throws InterruptedException {
    var roles = PodRoles.of(queries, request.agents(), pods);
    return roles.primaries().stream()
        .findFirst()
        .map(pod -> new FoundPrimary(pod, false))
        .or(
            () ->
                remembered(pods.stream().filter(pod -> roles.byPod().get(pod).isEmpty()).toList()));
  }

  private Optional<FoundPrimary> remembered(List<PodState> silent) {
    return silent.isEmpty()
        ? Optional.empty()
        : lastPrimaries
            .of(request.group(), silent)
            .flatMap(name -> silent.stream().filter(pod -> pod.name().equals(name)).findFirst())
            .map(pod -> new FoundPrimary(pod, true));
  }
}
