package io.middleware.engine.activities.agents;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.hash.Hashing;
import io.middleware.engine.activities.agents.AgentActions.ActionCall;
import io.middleware.engine.activities.agents.AgentQueries.CandidatePods;
import io.middleware.engine.activities.kubernetes.Faults;
import io.middleware.engine.activities.kubernetes.PodState;
import io.middleware.engine.api.PluginSpec;
import io.middleware.engine.api.task.ExecutionOrder;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.api.task.Scenario;
import io.temporal.failure.ApplicationFailure;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Puts parameters in force in running pods, and believes an agent only that all of them are. */
public final class PodReloads {
  private static final int LONGEST_NAMES = 200;
  private static final int SHOWN = 12;

  private final PodOrders orders;
  private final AgentActions actions;

  /**
   * @param agents asked for orders
   */
  public PodReloads(AgentQueries agents, AgentActions actions) {
    this.orders = new PodOrders(agents);
    this.actions = actions;
  }

  /**
   * What pods are to have in force.
   *
   * @param id the same when it is asked again, another when it is asked anew
   * @param values of the parameters by name, as text
   */
  public record ReloadCall(String id, SortedMap<String, String> values) {
    public ReloadCall {
      values = new TreeMap<>(values);
    }

    /** The parameters for people, without their values, which may be confidential. */
    public String names() {
      var names = String.join(", ", values.keySet());
      return names.length() <= LONGEST_NAMES ? names : names.substring(0, LONGEST_NAMES) + "…";
    }

    /** As the agents' protocol has it. */
    String checksum() {
      var lines = new StringBuilder();
      values.forEach((name, value) -> lines.append(name).append('=').append(value).append('\n'));
      return Hashing.sha256().hashString(lines, UTF_8).toString();
    }

    private String operation(PodState pod) {
      var told = String.join("/", id, pod.uid(), checksum());
      return "reload-" + Hashing.sha256().hashString(told, UTF_8);
    }
  }

  /**
   * In which order pods are to reload.
   *
   * @param group name of the Group object
   * @param ready pods of it
   */
  public ExecutionOrder order(PluginSpec plugin, String group, List<PodState> ready) {
    return orders.of(plugin, group, Scenario.UPDATE, ready);
  }

  /**
   * Returns when the pod has all of it in force.
   *
   * @param told how far it is, at least every 400 ms; may throw to cancel it
   * @throws ApplicationFailure of kind AGENT_REFUSED or AGENTS_UNAVAILABLE
   */
  public void reload(PluginSpec plugin, PodState pod, ReloadCall wish, Consumer<String> told) {
    var at =
        GrpcOrderingActivities.audience(plugin, List.of(pod))
            .map(CandidatePods::at)
            .orElseThrow(
                () -> Faults.of(FaultKind.INVALID, "plugin " + plugin.name() + " has no agents"));
    var errand = new ActionCall(at, pod, wish.operation(pod));
    switch (actions.reload(errand, wish.values(), told)) {
      case ActionOutcome.Done<String>(var checksum) -> believe(pod, wish, checksum);
      case ActionOutcome.Refused<String>(var why) -> throw refused(why, wish);
      case ActionOutcome.Unknown<String>(var why) ->
          throw refused(why + ": its Plugin must not call them Hot", wish);
      case ActionOutcome.Unanswered<String>(var why) ->
          throw Faults.of(FaultKind.AGENTS_UNAVAILABLE, why);
    }
  }

  private static void believe(PodState pod, ReloadCall wish, String checksum) {
    if (!checksum.equals(wish.checksum())) {
      throw refused(
          "the agent of pod %s, asked to reload: not all is in force, by checksum %s instead of %s"
              .formatted(pod.name(), shown(checksum), shown(wish.checksum())),
          wish);
    }
  }

  private static ApplicationFailure refused(String why, ReloadCall wish) {
    return Faults.of(
        FaultKind.AGENT_REFUSED,
        "%s; it was to have %s in force; nothing was restarted for it"
            .formatted(why, wish.names()));
  }

  private static String shown(String checksum) {
    return checksum.isEmpty()
        ? "(none)"
        : checksum.substring(0, Math.min(SHOWN, checksum.length()));
  }
}
