package io.middleware.engine.activities.agents;

import io.middleware.engine.activities.agents.AgentQueries.OrderQuery;
import io.middleware.engine.activities.kubernetes.PodState;
import io.middleware.engine.api.PluginSpec;
import io.middleware.engine.api.task.ExecutionOrder;
import io.middleware.engine.api.task.Scenario;
import java.util.List;

/** The agents' order of pods that are ready, or the plugin's where they have none. */
public final class PodOrders {
  private final AgentQueries agents;

  public PodOrders(AgentQueries agents) {
    this.agents = agents;
  }

  /**
   * @param group name of the Group object
   * @param ready pods of it
   * @throws io.temporal.failure.ApplicationFailure as a step that asks for an order fails
   */
  public ExecutionOrder of(
      PluginSpec plugin, String group, Scenario scenario, List<PodState> ready) {
    return GrpcOrderingActivities.podOrder(
        agents,
        plugin,
        GrpcOrderingActivities.audience(plugin, ready),
        new OrderQuery(group, scenario, ready.stream().map(PodState::name).toList()));
  }
}
