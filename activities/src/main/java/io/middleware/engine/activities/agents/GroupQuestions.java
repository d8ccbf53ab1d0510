package io.middleware.engine.activities.agents;

import io.middleware.engine.activities.agents.AgentQueries.OrderQuery;
import io.middleware.engine.activities.kubernetes.Faults;
import io.middleware.engine.activities.kubernetes.PodState;
import io.middleware.engine.api.PluginSpec;
import io.middleware.engine.api.Role;
import io.middleware.engine.api.task.ExecutionOrder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;

/**
 * The questions to the agents of a group of whose pods some are to be replaced.
 *
 * @param candidates of the whole group; empty without agents
 * @param ready the pods to be replaced whose agents are asked for a role
 */
record GroupQuestions(
    PluginSpec plugin,
    Optional<AgentCandidates> candidates,
    OrderQuery query,
    List<PodState> ready) {

  /**
   * @param roles by pod name, as far as the agents report them
   */
  record GroupAnswers(ExecutionOrder order, Map<String, String> roles) {
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
   * @param mayWaitLater whether a missing answer makes the order unanswered
   */
  GroupAnswers ask(AgentQueries agents, boolean mayWaitLater) {
    ExecutionOrder order;
    List<PodState> early;
    Map<String, Future<AgentAnswer<String>>> asked = new HashMap<>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      candidates.ifPresent(
          all ->
              ready.forEach(
                  pod ->
                      asked.put(
                          pod.name(),
                          threads.submit(() -> agents.askForRole(all.endpoint(), pod)))));
      try {
        order = OrderDecision.podOrder(agents, plugin, candidates, query, mayWaitLater);
        early = ready.stream().filter(pod -> isDone(asked.get(pod.name()))).toList();
      } catch (RuntimeException e) {
        threads.shutdownNow(); // nobody needs the roles
        throw e;
      }
    }
    Map<String, AgentAnswer<String>> answers = new HashMap<>();
    asked.forEach((name, answer) -> answers.put(name, Faults.result(answer)));
    if (mayWaitLater && answers.values().stream().anyMatch(GroupQuestions::isMissing)) {
      return new GroupAnswers(ExecutionOrder.UNANSWERED, Map.of());
    }
    var again = early.stream().filter(pod -> isMissing(answers.get(pod.name()))).toList();
    return new GroupAnswers(order, roles(answers, againFor(agents, again)));
  }

  private static boolean isDone(Future<?> asked) {
    return asked != null && asked.isDone();
  }

  private Map<String, String> againFor(AgentQueries agents, List<PodState> missing) {
    Map<String, Future<String>> asked = new HashMap<>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var pod : missing) {
        var endpoint = candidates.orElseThrow().endpoint();
        asked.put(pod.name(), threads.submit(() -> agents.once().role(endpoint, pod)));
      }
    }
    return known(asked, Faults::result);
  }

  private static Map<String, String> roles(
      Map<String, AgentAnswer<String>> answers, Map<String, String> later) {
    var roles = known(answers, AgentQueries::word);
    roles.putAll(later);
    return roles;
  }

  private static <T> Map<String, String> known(Map<String, T> answers, Function<T, String> role) {
    Map<String, String> known = new HashMap<>();
    answers.forEach((name, answer) -> known.put(name, role.apply(answer)));
    known.values().removeIf(String::isEmpty);
    return known;
  }

  private static boolean isMissing(AgentAnswer<String> answer) {
    return answer instanceof AgentAnswer.AnswerMissing<String>(var why, var lasting) && !lasting;
  }
}
