package io.middleware.engine.activities.agents;

import io.middleware.engine.activities.agents.AgentQueries.OrderQuery;
import io.middleware.engine.activities.kubernetes.Faults;
import io.middleware.engine.api.OrderFallbackMode;
import io.middleware.engine.api.PluginSpec;
import io.middleware.engine.api.task.ExecutionOrder;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.api.task.Scenario;
import java.util.Map;
import java.util.Optional;

/** What the plugin wants done when nobody can give an order. */
final class OrderFallback {
  private OrderFallback() {}

  /**
   * @param why nobody can; empty when there is nobody yet, or never, as the plugin wants it
   * @throws io.temporal.failure.ApplicationFailure of kind AGENTS_UNAVAILABLE when the plugin wants
   *     no order but the agents'
   */
  static ExecutionOrder order(PluginSpec plugin, OrderQuery matter, String why) {
    var scenario = matter.scenario().label();
    var mode = mode(plugin, matter.scenario());
    if (mode == OrderFallbackMode.FAIL) {
      throw Faults.of(
          FaultKind.AGENTS_UNAVAILABLE,
          "no agent gives an order for %s, and the plugin allows no other: %s"
              .formatted(scenario, why.isEmpty() ? "there is nobody to ask" : why));
    }
    var together = mode == OrderFallbackMode.CONCURRENT;
    var how = "%s: %s for %s".formatted(why, together ? "together" : "in name order", scenario);
    return new ExecutionOrder(
        matter.names(), together, why.isEmpty() ? Optional.empty() : Optional.of(how));
  }

  private static OrderFallbackMode mode(PluginSpec plugin, Scenario scenario) {
    var byDefault =
        scenario == Scenario.PROVISION
            ? OrderFallbackMode.CONCURRENT
            : OrderFallbackMode.SEQUENTIAL;
    Map<String, OrderFallbackMode> modes =
        plugin.orderFallback() == null ? Map.of() : plugin.orderFallback();
    return modes.getOrDefault(scenario.label(), byDefault);
  }
}
