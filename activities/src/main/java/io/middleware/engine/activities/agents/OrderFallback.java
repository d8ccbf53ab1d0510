package io.middleware.engine.activities.agents;

import io.middleware.engine.activities.agents.AgentQueries.OrderQuery;
import io.middleware.engine.activities.kubernetes.Faults;
import io.middleware.engine.api.PluginSpec;
import io.middleware.engine.api.task.ExecutionOrder;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.api.task.Scenario;
import java.util.Map;

/** What the plugin wants done when nobody can give an order. */
final class OrderFallback {
  private static final String CONCURRENT = "Concurrent";
  private static final String FAIL = "Fail";

  private OrderFallback() {}

  /**
   * @param why nobody can; empty when there is nobody yet, or never, as the plugin wants it
   * @throws io.temporal.failure.ApplicationFailure of kind AGENTS_UNAVAILABLE when the plugin wants
   *     no order but the agents'
   */
  static ExecutionOrder order(PluginSpec plugin, OrderQuery matter, String why) {
    var scenario = matter.scenario().label();
    var wish = wish(plugin, matter.scenario());
    if (wish.equals(FAIL)) {
      throw Faults.of(
          FaultKind.AGENTS_UNAVAILABLE,
          "no agent gives an order for %s, and the plugin allows no other: %s"
              .formatted(scenario, why.isEmpty() ? "there is nobody to ask" : why));
    }
    var together = wish.equals(CONCURRENT);
    var how = "%s: %s for %s".formatted(why, together ? "together" : "in name order", scenario);
    return new ExecutionOrder(matter.names(), together, why.isEmpty() ? "" : how);
  }

  private static String wish(PluginSpec plugin, Scenario scenario) {
    var byDefault = scenario == Scenario.PROVISION ? CONCURRENT : "Sequential";
    Map<String, String> wishes = plugin.orderFallback() == null ? Map.of() : plugin.orderFallback();
    return wishes.getOrDefault(scenario.label(), byDefault);
  }
}
