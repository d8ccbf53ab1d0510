package io.middleware.engine.cluster.agents;

import static java.util.Comparator.comparing;

import io.middleware.engine.api.AgentsByPlugin.Agents;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.plugin.PluginSpec;
import io.middleware.engine.cluster.NaturalOrder;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.workflows.port.AgentEndpoint;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The pods whose agents may be asked.
 *
 * @param pods all of them ready
 */
record AgentCandidates(AgentEndpoint endpoint, List<PodState> pods) {

  /**
   * The ready pods in the order in which to ask them: the first pod of each group, then the second
   * of each, because the trouble of one pod often affects its whole group. Empty when neither the
   * Plugin nor a pod of another one has agents.
   *
   * @param agents says how each pod is spoken to
   */
  static Optional<AgentCandidates> of(PluginSpec plugin, List<PodState> pods, PodAgents agents) {
    var endpoint = endpoint(plugin, pods, agents);
    if (!endpoint.exists()
        || !pods.isEmpty() && pods.stream().allMatch(pod -> isWithout(agents, pod))) {
      return Optional.empty();
    }
    var ready =
        pods.stream()
            .filter(PodState::isReady)
            .filter(pod -> !isWithout(agents, pod))
            .sorted(comparing(PodState::name, NaturalOrder.OF_NAMES))
            .toList();
    return Optional.of(new AgentCandidates(endpoint, alternatingGroups(ready)));
  }

  private static boolean isWithout(PodAgents agents, PodState pod) {
    return agents.of(pod).filter(own -> own.port() == 0).isPresent();
  }

  /** Whether a primary among these pods can be asked to switch over; their own Plugin says so. */
  static boolean switchOver(boolean declared, List<PodState> pods, PodAgents agents) {
    return pods.stream().anyMatch(pod -> agents.of(pod).map(Agents::switchover).orElse(declared));
  }

  private static AgentEndpoint endpoint(PluginSpec plugin, List<PodState> pods, PodAgents agents) {
    var declared = AgentQueries.endpoint(plugin);
    return declared.exists()
        ? declared
        : pods.stream()
            .flatMap(pod -> agents.of(pod).stream())
            .filter(own -> own.port() > 0)
            .findFirst()
            .map(own -> new AgentEndpoint(own.port(), own.tlsSecret()))
            .orElse(declared);
  }

  private static List<PodState> alternatingGroups(List<PodState> pods) {
    Map<String, Integer> sizes = new HashMap<>();
    Map<String, Integer> ranks = new HashMap<>();
    pods.forEach(
        pod -> ranks.put(pod.name(), sizes.merge(pod.label(Labels.GROUP), 1, Integer::sum)));
    return pods.stream().sorted(comparing(pod -> ranks.get(pod.name()))).toList();
  }
}
