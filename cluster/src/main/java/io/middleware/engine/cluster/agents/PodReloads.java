package io.middleware.engine.cluster.agents;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.hash.Hashing;
import io.middleware.engine.api.plugin.PluginSpec;
import io.middleware.engine.api.task.ExecutionOrder;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.api.task.PlainText;
import io.middleware.engine.api.task.Scenario;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.cluster.agents.AgentActions.ActionCall;
import io.middleware.engine.cluster.secrets.SecretDigests;
import io.middleware.engine.proto.tool.v1.Reloaded;
import io.temporal.failure.ApplicationFailure;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Puts parameters into force in running pods, and verifies the result by its checksum. */
public final class PodReloads {
  private static final int MAX_NAMES_LENGTH = 200;
  private static final int SHOWN_CHECKSUM = 12;

  private final AgentOrders orders;
  private final AgentActions actions;

  /**
   * @param agents asked for orders
   */
  public PodReloads(AgentQueries agents, AgentActions actions) {
    this.orders = new AgentOrders(agents);
    this.actions = actions;
  }

  /**
   * The parameters that pods must have in force.
   *
   * @param id the same when the call is repeated, another one in a new run
   * @param values as text, by parameter name
   * @param digests of those that are Secrets; another operation begins with other ones
   */
  public record ReloadCall(String id, SortedMap<String, String> values, SecretDigests digests) {
    public ReloadCall {
      values = new TreeMap<>(values);
    }

    /** The parameters' names for people; the values may be confidential. */
    public String names() {
      var names = String.join(", ", values.keySet());
      return names.length() <= MAX_NAMES_LENGTH
          ? names
          : names.substring(0, MAX_NAMES_LENGTH) + "…";
    }

    /** As the agents' protocol defines it. */
    String checksum() {
      var lines = new StringBuilder();
      values.forEach((name, value) -> lines.append(name).append('=').append(value).append('\n'));
      return Hashing.sha256().hashString(lines, UTF_8).toString();
    }

    /** Whether the pod's files have another value of a Secret, and nothing else is wrong. */
    private boolean awaits(Reloaded reloaded) {
      var late = reloaded.getNotInForceList();
      return !late.isEmpty() && digests.digests().keySet().containsAll(late);
    }

    private String operation(PodState pod) {
      var key = String.join("/", id, pod.uid(), checksum(), digests.salt());
      return "reload-" + Hashing.sha256().hashString(key, UTF_8);
    }
  }

  /**
   * The order in which pods reload.
   *
   * @param group name of the Group object
   * @param ready pods of it
   */
  public ExecutionOrder order(PluginSpec plugin, String group, List<PodState> ready) {
    return orders.ofPods(plugin, group, Scenario.UPDATE, ready);
  }

  /**
   * Returns when the pod has all parameters in force. While the files of the pod have another value
   * of a Secret, it asks again, because the Secret may have changed.
   *
   * @param calls makes one with what the Secrets say now
   * @param listener as of {@link AgentActions#switchover}; its failure ends the wait
   * @return the one that was carried out
   * @throws ApplicationFailure of kind AGENT_REFUSED or AGENTS_UNAVAILABLE
   */
  public ReloadCall reload(
      PluginSpec plugin, PodState pod, Supplier<ReloadCall> calls, Consumer<String> listener) {
    var endpoint = AgentQueries.endpoint(plugin);
    if (!endpoint.exists()) {
      throw Faults.of(FaultKind.INVALID, "Plugin " + plugin.name() + " has no agents");
    }
    for (var attempt = 1; ; attempt++) {
      var call = calls.get();
      var reloaded = reload(new ActionCall(endpoint, pod, call.operation(pod)), call, listener);
      if (!call.awaits(reloaded)) {
        verify(pod, call, reloaded);
        return call;
      }
      listener.accept(
          "pod %s: its files do not have the changed %s yet, asked again with what the Secret says now"
              .formatted(pod.name(), names(reloaded)));
      AgentQuestion.sleep(attempt);
    }
  }

  private Reloaded reload(ActionCall action, ReloadCall call, Consumer<String> listener) {
    return switch (actions.reload(action, call, listener)) {
      case ActionOutcome.ActionDone<Reloaded>(var reloaded) -> reloaded;
      case ActionOutcome.ActionRefused<Reloaded>(var why) -> throw refused(why, call);
      case ActionOutcome.ActionUnknown<Reloaded>(var why) ->
          throw refused(why + "; the Plugin must not declare these parameters Hot", call);
      case ActionOutcome.ActionUnanswered<Reloaded>(var why) ->
          throw Faults.of(FaultKind.AGENTS_UNAVAILABLE, why);
    };
  }

  private static void verify(PodState pod, ReloadCall call, Reloaded reloaded) {
    if (!reloaded.getChecksum().equals(call.checksum())) {
      throw refused(
          "the agent of pod %s reported a reload, but %s"
              .formatted(pod.name(), difference(call, reloaded)),
          call);
    }
  }

  private static String difference(ReloadCall call, Reloaded reloaded) {
    var names = names(reloaded);
    return names.isEmpty()
        ? "not all parameters are in force: checksum %s instead of %s"
            .formatted(shown(reloaded.getChecksum()), shown(call.checksum()))
        : "these are not in force: " + names;
  }

  private static String names(Reloaded reloaded) {
    return PlainText.clean(String.join(", ", reloaded.getNotInForceList()), MAX_NAMES_LENGTH);
  }

  private static ApplicationFailure refused(String why, ReloadCall call) {
    return Faults.of(
        FaultKind.AGENT_REFUSED,
        "%s; parameters to put into force: %s; nothing was restarted".formatted(why, call.names()));
  }

  private static String shown(String checksum) {
    return checksum.isEmpty()
        ? "(none)"
        : PlainText.clean(checksum.substring(0, Math.min(SHOWN_CHECKSUM, checksum.length())));
  }
}
