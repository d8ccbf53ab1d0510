package io.middleware.engine.activities.agents;

import io.middleware.engine.activities.agents.AgentQueries.OrderQuery;
import io.middleware.engine.activities.kubernetes.Faults;
import io.middleware.engine.api.PluginSpec;
import io.middleware.engine.api.task.ExecutionOrder;
import io.middleware.engine.api.task.FaultKind;
import java.util.Optional;

/** What order to follow after the agents have answered, or have not. */
final class OrderDecision {
  private OrderDecision() {}

  /** The order of pods from their agents, or the Plugin's fallback. */
  static ExecutionOrder podOrder(
      AgentQueries agents,
      PluginSpec plugin,
      Optional<AgentCandidates> candidates,
      OrderQuery query,
      boolean mayWaitLater) {
    if (query.names().size() < 2) {
      return new ExecutionOrder(query.names(), false);
    }
    return candidates.isEmpty()
        ? OrderFallback.order(plugin, query, "")
        : of(plugin, query, agents.podOrder(candidates.get(), query), mayWaitLater);
  }

  /**
   * @param mayWaitLater whether an order that is missing now is unanswered, not the fallback
   * @throws io.temporal.failure.ApplicationFailure when the agents refuse, or there is no fallback
   */
  static ExecutionOrder of(
      PluginSpec plugin,
      OrderQuery query,
      AgentAnswer<ExecutionOrder> answer,
      boolean mayWaitLater) {
    return switch (answer) {
      case AgentAnswer.AnswerGiven<ExecutionOrder>(var order, var by) -> order;
      case AgentAnswer.AnswerMissing<ExecutionOrder>(var why, var lasting) ->
          mayWaitLater && !lasting
              ? ExecutionOrder.UNANSWERED
              : OrderFallback.order(plugin, query, why);
      case AgentAnswer.AnswerRefused<ExecutionOrder>(var why) ->
          throw Faults.of(FaultKind.INVALID, why);
    };
  }
}
