package io.middleware.engine.cluster.agents;

import static java.util.Comparator.comparing;

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
   * of each, because the trouble of one pod often affects its whole group. Empty when the Plugin
   * has no agents.
   */
  static Optional<AgentCandidates> of(PluginSpec plugin, List<PodState> pods) {
    var endpoint = AgentQueries.endpoint(plugin);
    if (!endpoint.exists()) {
      return Optional.empty();
    }
    var ready =
        pods.stream()
            .filter(PodState::isReady)
            .sorted(comparing(PodState::name, NaturalOrder.OF_NAMES))
            .toList();
    return Optional.of(new AgentCandidates(endpoint, alternatingGroups(ready)));
  }

  private static List<PodState> alternatingGroups(List<PodState> pods) {
    Map<String, Integer> sizes = new HashMap<>();
    Map<String, Integer> ranks = new HashMap<>();
    pods.forEach(
        pod -> ranks.put(pod.name(), sizes.merge(pod.label(Labels.GROUP), 1, Integer::sum)));
    return pods.stream().sorted(comparing(pod -> ranks.get(pod.name()))).toList();
  }
}
