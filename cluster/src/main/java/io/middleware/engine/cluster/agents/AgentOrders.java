package io.middleware.engine.cluster.agents;

import io.middleware.engine.api.Role;
import io.middleware.engine.api.plugin.PluginSpec;
import io.middleware.engine.api.task.ExecutionOrder;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.api.task.Scenario;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.cluster.agents.AgentAnswer.AnswerGiven;
import io.middleware.engine.cluster.agents.AgentAnswer.AnswerMissing;
import io.middleware.engine.cluster.agents.AgentAnswer.AnswerRefused;
import io.middleware.engine.cluster.agents.AgentQueries.OrderQuery;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** The orders of groups and pods from their agents, or the Plugin's fallback. */
public final class AgentOrders {
  private final AgentQueries agents;
  private final boolean mayWaitLater;

  public AgentOrders(AgentQueries agents) {
    this(agents, false);
  }

  /**
   * @param mayWaitLater whether an order that is missing now is unanswered, not the fallback
   */
  AgentOrders(AgentQueries agents, boolean mayWaitLater) {
    this.agents = agents;
    this.mayWaitLater = mayWaitLater;
  }

  /**
   * The order of ready pods.
   *
   * @param group name of the Group object
   * @param ready pods of it
   * @throws io.temporal.failure.ApplicationFailure as the step {@code podOrder} does
   */
  public ExecutionOrder ofPods(
      PluginSpec plugin, String group, Scenario scenario, List<PodState> ready) {
    var names = ready.stream().map(PodState::name).toList();
    return ofPods(
        plugin,
        AgentCandidates.of(plugin, ready, agents.pods()),
        new OrderQuery(group, scenario, names));
  }

  private ExecutionOrder ofPods(
      PluginSpec plugin, Optional<AgentCandidates> candidates, OrderQuery query) {
    if (query.names().size() < 2) {
      return new ExecutionOrder(query.names(), false);
    }
    return candidates.isEmpty()
        ? OrderFallback.order(plugin, query, "")
        : decide(plugin, query, agents.podOrder(candidates.get(), query));
  }

  ExecutionOrder ofGroups(PluginSpec plugin, AgentCandidates candidates, OrderQuery query) {
    return decide(plugin, query, agents.groupOrder(candidates, query));
  }

  private ExecutionOrder decide(
      PluginSpec plugin, OrderQuery query, AgentAnswer<ExecutionOrder> answer) {
    return switch (answer) {
      case AnswerGiven<ExecutionOrder>(var order, var by) -> order;
      case AnswerMissing<ExecutionOrder>(var why, var lasting) ->
          mayWaitLater && !lasting
              ? ExecutionOrder.UNANSWERED
              : OrderFallback.order(plugin, query, why);
      case AnswerRefused<ExecutionOrder>(var why) -> throw Faults.of(FaultKind.INVALID, why);
    };
  }

  /**
   * @param roles by pod name, as far as the agents report them
   * @param asked whether there are agents
   */
  record OrderWithRoles(ExecutionOrder order, Map<String, String> roles, boolean asked) {
    private static final OrderWithRoles UNANSWERED =
        new OrderWithRoles(ExecutionOrder.UNANSWERED, Map.of(), true);

    /** Those of these pods whose agents report no role; none without agents. */
    List<PodState> silent(Collection<PodState> pods) {
      return pods.stream().filter(pod -> asked && !roles.containsKey(pod.name())).toList();
    }

    /** The pod that its agent reports to be the primary. */
    Optional<String> primary() {
      return roles.keySet().stream()
          .filter(name -> Role.PRIMARY.equals(roles.get(name)))
          .findFirst();
    }
  }

  /**
   * Asks for the order and for all roles at the same time. A role that was given up before the
   * order came is asked for once more, as an election may have ended meanwhile.
   *
   * @param candidates of the whole group; empty without agents
   * @param ready the pods to be replaced whose agents are asked for a role
   */
  OrderWithRoles ofPodsWithRoles(
      PluginSpec plugin,
      Optional<AgentCandidates> candidates,
      OrderQuery query,
      List<PodState> ready) {
    ExecutionOrder order;
    List<PodState> early;
    Map<PodState, Future<AgentAnswer<String>>> roles = new HashMap<>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      roles.putAll(askForRoles(agents, candidates, ready, threads));
      try {
        order = ofPods(plugin, candidates, query);
        early = roles.keySet().stream().filter(pod -> roles.get(pod).isDone()).toList();
      } catch (RuntimeException e) {
        threads.shutdownNow(); // nobody needs the roles
        throw e;
      }
    }
    if (mayWaitLater && roles.values().stream().anyMatch(AgentOrders::isMissing)) {
      return OrderWithRoles.UNANSWERED;
    }
    var again = early.stream().filter(pod -> isMissing(roles.get(pod))).toList();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      roles.putAll(askForRoles(agents.once(), candidates, again, threads));
    }
    return new OrderWithRoles(order, known(roles), candidates.isPresent());
  }

  private static Map<PodState, Future<AgentAnswer<String>>> askForRoles(
      AgentQueries agents,
      Optional<AgentCandidates> candidates,
      List<PodState> pods,
      ExecutorService threads) {
    Map<PodState, Future<AgentAnswer<String>>> asked = new HashMap<>();
    candidates.ifPresent(
        all ->
            pods.forEach(
                pod ->
                    asked.put(pod, threads.submit(() -> agents.askForRole(all.endpoint(), pod)))));
    return asked;
  }

  private static boolean isMissing(Future<AgentAnswer<String>> answer) {
    return Faults.result(answer) instanceof AnswerMissing<String>(var why, var lasting) && !lasting;
  }

  private static Map<String, String> known(Map<PodState, Future<AgentAnswer<String>>> roles) {
    Map<String, String> known = new HashMap<>();
    roles.forEach((pod, role) -> known.put(pod.name(), AgentQueries.word(Faults.result(role))));
    known.values().removeIf(String::isEmpty);
    return known;
  }
}
