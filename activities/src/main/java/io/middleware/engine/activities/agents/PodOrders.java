package io.middleware.engine.activities.agents;

import io.middleware.engine.activities.agents.AgentQueries.OrderQuery;
import io.middleware.engine.activities.kubernetes.PodState;
import io.middleware.engine.api.PluginSpec;
import io.middleware.engine.api.task.ExecutionOrder;
import io.middleware.engine.api.task.Scenario;
import java.util.List;

/** The order of ready pods from their agents, or the Plugin's fallback. */
public final class PodOrders {
  private final AgentQueries agents;

  public PodOrders(AgentQueries agents) {
    this.agents = agents;
  }

  /**
   * @param group name of the Group object
   * @param ready pods of it
   * @throws io.temporal.failure.ApplicationFailure as the step {@code podOrder} does
   */
  public ExecutionOrder of(
      PluginSpec plugin, String group, Scenario scenario, List<PodState> ready) {
    return OrderDecision.podOrder(
        agents,
        plugin,
        AgentCandidates.of(plugin, ready),
        new OrderQuery(group, scenario, ready.stream().map(PodState::name).toList()),
        false);
  }
}
