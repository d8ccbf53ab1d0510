package io.middleware.engine.cluster.agents;

import io.middleware.engine.api.plugin.OrderFallbackMode;
import io.middleware.engine.api.plugin.PluginSpec;
import io.middleware.engine.api.task.ExecutionOrder;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.api.task.Scenario;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.agents.AgentQueries.OrderQuery;
import java.util.Map;
import java.util.Optional;

/** The order that the Plugin prescribes when no agent can give one. */
final class OrderFallback {
  private OrderFallback() {}

  /**
   * Before the first pods exist, nobody can be asked, so that Fail could never be satisfied: the
   * careful order is taken then.
   *
   * @param why no agent can give an order; empty when the component has no agents or no pods yet,
   *     so that the fallback is what the Plugin intends
   * @throws io.temporal.failure.ApplicationFailure of kind AGENTS_UNAVAILABLE when the Plugin
   *     allows no fallback
   */
  static ExecutionOrder order(PluginSpec plugin, OrderQuery query, String why) {
    var scenario = query.scenario().label();
    var fallback = fallback(plugin, query.scenario());
    if (fallback == OrderFallbackMode.FAIL
        && why.isEmpty()
        && query.scenario() == Scenario.PROVISION) {
      return new ExecutionOrder(query.names(), false);
    }
    if (fallback == OrderFallbackMode.FAIL) {
      throw Faults.of(
          FaultKind.AGENTS_UNAVAILABLE,
          "no agent can give the order for %s, and the Plugin allows no fallback: %s"
              .formatted(scenario, why.isEmpty() ? "there is no agent to ask" : why));
    }
    var concurrent = fallback == OrderFallbackMode.CONCURRENT;
    var message =
        "%s; fallback for %s: %s"
            .formatted(why, scenario, concurrent ? "all at once" : "in name order");
    return new ExecutionOrder(
        query.names(), concurrent, why.isEmpty() ? Optional.empty() : Optional.of(message));
  }

  private static OrderFallbackMode fallback(PluginSpec plugin, Scenario scenario) {
    var byDefault =
        scenario == Scenario.PROVISION
            ? OrderFallbackMode.CONCURRENT
            : OrderFallbackMode.SEQUENTIAL;
    Map<String, OrderFallbackMode> fallbacks =
        plugin.orderFallback() == null ? Map.of() : plugin.orderFallback();
    return fallbacks.getOrDefault(scenario.label(), byDefault);
  }
}
