package io.middleware.engine.activities.pods;

import io.middleware.engine.api.Role;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.cluster.agents.AgentQueries;
import io.middleware.engine.workflows.port.AgentEndpoint;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;

/**
 * The roles of pods, as their agents report them when they are asked together.
 *
 * @param byPod empty for a pod whose agent does not answer
 */
public record PodRoles(Map<PodState, String> byPod) {
  /** Blocks until all have answered, or do not. */
  public static PodRoles of(AgentQueries queries, AgentEndpoint agents, List<PodState> pods)
      throws InterruptedException {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var asked =
          threads.invokeAll(
              pods.stream().<Callable<String>>map(pod -> () -> queries.role(agents, pod)).toList());
      var roles = new LinkedHashMap<PodState, String>();
      for (var i = 0; i < pods.size(); i++) {
        roles.put(pods.get(i), Faults.result(asked.get(i)));
      }
      return new PodRoles(roles);
    }
  }

  /** The pods that say that they are the primary. */
  public List<PodState> primaries() {
    return byPod.keySet().stream().filter(pod -> Role.PRIMARY.equals(byPod.get(pod))).toList();
  }
}
