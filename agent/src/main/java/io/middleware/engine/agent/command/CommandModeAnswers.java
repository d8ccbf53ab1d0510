package io.middleware.engine.agent.command;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.middleware.engine.agent.driver.Driver;
import io.middleware.engine.agent.order.ReplicationOrder;
import io.middleware.engine.agent.order.RoleOrder;
import io.middleware.engine.agent.order.WorkOrder;
import io.middleware.engine.agent.server.AgentAnswers;
import io.middleware.engine.proto.agent.v1.Scenario;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Answers for a pod by the commands in a folder. The order of pods is what the command {@code
 * order} prints; without one, pods are ordered by their roles.
 */
final class CommandModeAnswers implements AgentAnswers {
  private static final String CONCURRENT = "concurrent";

  private final String pod;
  private final KnownCommands commands;
  private final Driver driver;
  private final RoleOrder byRole;
  private final OtherRoles others;

  /**
   * @param pod the name of its pod
   */
  CommandModeAnswers(
      String pod, KnownCommands commands, Driver driver, RoleOrder byRole, OtherRoles others) {
    this.pod = pod;
    this.commands = commands;
    this.driver = driver;
    this.byRole = byRole;
    this.others = others;
  }

  @Override
  public Driver driver() {
    return driver;
  }

  @Override
  public String role() {
    return driver.roleName();
  }

  /** A role is an answer also when it is not known any more what the pod lacks. */
  @Override
  public String trouble() {
    try {
      return driver.trouble().orElse("");
    } catch (StatusRuntimeException e) {
      return "";
    }
  }

  @Override
  public WorkOrder groupOrder(Scenario scenario, List<String> groups) {
    return ReplicationOrder.ofGroups(scenario, groups);
  }

  @Override
  public WorkOrder podOrder(Scenario scenario, List<String> pods) {
    return commands
        .find("order")
        .map(command -> printed(command, scenario, pods))
        .orElseGet(() -> byRole(scenario, pods));
  }

  /** A wrong order is refused: without the agent's answer the engine would take a plain one. */
  private static WorkOrder printed(CommandFile command, Scenario scenario, List<String> pods) {
    var name = scenario.name().replace("SCENARIO_", "").toLowerCase(Locale.ROOT);
    var input = CommandInput.question(Map.of("SCENARIO", name), String.join("\n", pods) + "\n");
    var answer = CommandQuestions.ask(command, input);
    var lines =
        answer.outputOrThrow().lines().map(String::strip).filter(l -> !l.isEmpty()).toList();
    if (lines.equals(List.of(CONCURRENT))) {
      return new WorkOrder(pods, true);
    }
    if (lines.size() != pods.size() || !new HashSet<>(lines).equals(new HashSet<>(pods))) {
      throw answer.unusable(
          Status.FAILED_PRECONDITION,
          "each of %s once, one a line, or the one word %s".formatted(pods, CONCURRENT));
    }
    return new WorkOrder(lines, false);
  }

  private WorkOrder byRole(Scenario scenario, List<String> pods) {
    var own = driver.roleName();
    if (own.isEmpty()) {
      return ReplicationOrder.ofPods(scenario, pods, Optional.empty());
    }
    var known = new HashMap<>(others.of(pods.stream().filter(name -> !name.equals(pod)).toList()));
    known.put(pod, own);
    return byRole
        .ofPods(scenario, pods, known)
        .orElseThrow(
            () ->
                Status.UNAVAILABLE
                    .withDescription(
                        "cannot order the pods: no primary among those whose role is known, %s: set AGENT_SERVICE, or put a file order into the folder"
                            .formatted(known))
                    .asRuntimeException());
  }
}
