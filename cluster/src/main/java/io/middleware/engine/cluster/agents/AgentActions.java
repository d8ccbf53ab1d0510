package io.middleware.engine.cluster.agents;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.stub.BlockingClientCall;
import io.middleware.engine.api.task.PlainText;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.cluster.agents.PodReloads.ReloadCall;
import io.middleware.engine.proto.tool.v1.ActionOutput;
import io.middleware.engine.proto.tool.v1.DrainResponse;
import io.middleware.engine.proto.tool.v1.Drained;
import io.middleware.engine.proto.tool.v1.PersistResponse;
import io.middleware.engine.proto.tool.v1.Persisted;
import io.middleware.engine.proto.tool.v1.Progress;
import io.middleware.engine.proto.tool.v1.ReloadResponse;
import io.middleware.engine.proto.tool.v1.Reloaded;
import io.middleware.engine.proto.tool.v1.RunActionResponse;
import io.middleware.engine.proto.tool.v1.SwitchoverResponse;
import io.middleware.engine.proto.tool.v1.ToolInvokerGrpc;
import io.middleware.engine.proto.tool.v1.ToolInvokerGrpc.ToolInvokerBlockingV2Stub;
import io.middleware.engine.workflows.port.AgentEndpoint;
import io.middleware.engine.workflows.port.HeartbeatContract;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Has agents act on the process in their pod, and follows their progress.
 *
 * <p>An action may take as long as its agent keeps reporting progress. A call without a message for
 * the policy's deadline, or one that breaks off, is made again with the same operation id, so that
 * the agent continues the operation. If the caller stops waiting, the call is cancelled.
 */
public final class AgentActions {
  private static final int MOST_OF_A_NAME = 253;

  private final AgentChannels channels;
  private final AgentPolicy policy;
  private final BiConsumer<PodState, String> switchedOver;

  /**
   * @param policy its deadline is the longest time between two messages
   * @param client where switchovers are recorded
   */
  public AgentActions(AgentChannels channels, AgentPolicy policy, KubernetesClient client) {
    this(channels, policy, LastSwitchover.recordedBy(client));
  }

  /** The same, which records no switchovers. */
  public AgentActions(AgentChannels channels, AgentPolicy policy) {
    this(channels, policy, (pod, primary) -> {});
  }

  private AgentActions(
      AgentChannels channels, AgentPolicy policy, BiConsumer<PodState, String> switchedOver) {
    this.channels = channels;
    this.policy = policy;
    this.switchedOver = switchedOver;
  }

  /**
   * One action of one agent.
   *
   * @param operation id of at most 128 characters; the same in every repeat of the action
   */
  public record ActionCall(AgentEndpoint endpoint, PodState pod, String operation) {
    public ActionCall {
      if (pod.ip().isEmpty()) {
        throw new IllegalArgumentException("pod %s has no address".formatted(pod.name()));
      }
    }
  }

  /**
   * @param verb for people
   * @param begin starts the call
   * @param end the result in a message; empty in a progress message
   */
  private record Action<M, T>(
      String verb,
      Function<ToolInvokerBlockingV2Stub, BlockingClientCall<?, M>> begin,
      Function<M, Progress> progress,
      Function<M, Optional<T>> end) {}

  /** Asks the primary to make any other pod the primary. */
  public ActionOutcome<String> switchover(ActionCall call, Consumer<String> listener) {
    return switchover(call, Optional.empty(), listener);
  }

  /**
   * Asks the primary to make another pod the primary.
   *
   * @param successor name of that pod, which agents of older versions do not heed; empty for any
   * @param listener receives progress messages, at least once per {@link
   *     HeartbeatContract#INTERVAL}; may throw to cancel the action
   * @return with the name of the new primary; empty when the agent does not know it
   */
  public ActionOutcome<String> switchover(
      ActionCall call, Optional<String> successor, Consumer<String> listener) {
    var action =
        new Action<SwitchoverResponse, String>(
            "switch over",
            agent -> agent.switchover(ActionRequests.switchover(call, successor)),
            SwitchoverResponse::getProgress,
            message ->
                message.hasDone()
                    ? Optional.of(PlainText.clean(message.getDone().getPrimary(), MOST_OF_A_NAME))
                    : Optional.empty());
    var outcome = run(call, action, listener);
    if (outcome instanceof ActionOutcome.ActionDone<String>(var primary)) {
      switchedOver(call.pod(), primary);
    }
    return outcome;
  }

  /**
   * Records that a pod has switched over: from now on the other one is the last known primary.
   *
   * @param primary its name; empty when it is not known
   */
  public void switchedOver(PodState pod, String primary) {
    switchedOver.accept(pod, primary);
  }

  /**
   * Asks a pod to put parameters into force.
   *
   * @param listener as of {@link #switchover}
   * @return which parameters are in force, as the protocol defines it
   */
  public ActionOutcome<Reloaded> reload(
      ActionCall call, ReloadCall wanted, Consumer<String> listener) {
    var action =
        new Action<ReloadResponse, Reloaded>(
            "reload",
            agent -> agent.reload(ActionRequests.reload(call, wanted)),
            ReloadResponse::getProgress,
            message -> message.hasDone() ? Optional.of(message.getDone()) : Optional.empty());
    return run(call, action, listener);
  }

  /**
   * Asks a pod to prepare for its removal.
   *
   * @param listener as of {@link #switchover}
   */
  public ActionOutcome<Drained> drain(ActionCall call, Consumer<String> listener) {
    var action =
        new Action<DrainResponse, Drained>(
            "drain",
            agent -> agent.drain(ActionRequests.drain(call)),
            DrainResponse::getProgress,
            message -> message.hasDone() ? Optional.of(message.getDone()) : Optional.empty());
    return run(call, action, listener);
  }

  /** Whether there is an agent to ask: see {@link AgentQueries#hasAgent}. */
  public boolean hasAgent(AgentEndpoint endpoint, PodState pod) {
    return channels.hasAgent(endpoint, pod);
  }

  /**
   * Asks a pod whose process is ended next to make its data durable. Afterwards it takes no writes
   * until its process ends, or {@link #resume}.
   *
   * @param listener as of {@link #switchover}
   */
  public ActionOutcome<Persisted> persist(ActionCall call, Consumer<String> listener) {
    var action =
        new Action<PersistResponse, Persisted>(
            "make its data durable",
            agent -> agent.persist(ActionRequests.persist(call)),
            PersistResponse::getProgress,
            message -> message.hasDone() ? Optional.of(message.getDone()) : Optional.empty());
    return run(call, action, listener);
  }

  /**
   * Asks once a pod whose process goes on after all to take writes again.
   *
   * @return whether it does, as far as is known
   */
  public boolean resume(ActionCall call) {
    try {
      stub(call).withDeadlineAfter(policy.deadline()).resume(ActionRequests.resume(call));
      return true;
    } catch (StatusException e) {
      return false;
    }
  }

  /**
   * Asks a pod to run an action of the Plugin.
   *
   * @param listener as of {@link #switchover}
   * @return how the action ended, whether well or not
   */
  public ActionOutcome<ActionOutput> runAction(
      ActionCall call, ActionOrder order, Consumer<String> listener) {
    var action =
        new Action<RunActionResponse, ActionOutput>(
            "run " + order.name(),
            agent -> agent.runAction(order.to(call)),
            RunActionResponse::getProgress,
            message -> message.hasDone() ? Optional.of(message.getDone()) : Optional.empty());
    return run(call, action, listener);
  }

  /**
   * Waits until an action of the Plugin that is cancelled has ended.
   *
   * @param isThere asked at least once per {@link HeartbeatContract#INTERVAL}: whether the pod is
   */
  public void stopAction(ActionCall call, ActionOrder order, BooleanSupplier isThere) {
    new ActionStop(channels, isThere).await(call, order.killTimeout());
  }

  private <M, T> ActionOutcome<T> run(
      ActionCall call, Action<M, T> action, Consumer<String> listener) {
    if (!channels.mayHaveAgent(call.pod())) {
      return new ActionOutcome.ActionUnknown<>(
          "pod %s: its Plugin has no agents".formatted(call.pod().name()));
    }
    var why = "";
    for (var attempt = 0; attempt < policy.attempts(); attempt++) {
      if (attempt > 0) {
        AgentQuestion.sleep(attempt);
      }
      try {
        return new ActionOutcome.ActionDone<>(follow(call, action, listener));
      } catch (StatusException e) {
        why =
            CallFailure.message(
                channels.endpoint(call.endpoint(), call.pod()),
                call.pod(),
                action.verb(),
                CallFailure.why(e.getStatus(), policy));
        if (CallFailure.isTooLong(e.getStatus())) {
          return new ActionOutcome.ActionRefused<>(why);
        }
        switch (e.getStatus().getCode()) {
          case INVALID_ARGUMENT, FAILED_PRECONDITION -> {
            return new ActionOutcome.ActionRefused<>(why);
          }
          case UNIMPLEMENTED -> {
            return new ActionOutcome.ActionUnknown<>(why);
          }
          default -> AgentChannels.reconnect(channels.to(call.endpoint(), call.pod()));
        }
      }
    }
    return new ActionOutcome.ActionUnanswered<>(why);
  }

  private <M, T> T follow(ActionCall call, Action<M, T> action, Consumer<String> listener)
      throws StatusException {
    var stream = action.begin().apply(stub(call));
    var text = "pod %s: asked to %s".formatted(call.pod().name(), action.verb());
    var lastMessage = System.nanoTime();
    try {
      while (true) {
        listener.accept(text);
        var message = ActionMessages.next(stream);
        if (message.isPresent()) {
          var end = action.end().apply(message.get());
          if (end.isPresent()) {
            return end.get();
          }
          lastMessage = System.nanoTime();
          text = text(call, action, action.progress().apply(message.get()));
        } else if (System.nanoTime() - lastMessage > policy.deadline().toNanos()) {
          throw ActionMessages.failure(
              Status.DEADLINE_EXCEEDED,
              "no message within " + CallFailure.inWords(policy.deadline()));
        }
      }
    } finally {
      stream.cancel("the caller has stopped waiting", null);
    }
  }

  private ToolInvokerBlockingV2Stub stub(ActionCall call) {
    return ToolInvokerGrpc.newBlockingV2Stub(channels.to(call.endpoint(), call.pod()))
        .withMaxInboundMessageSize(policy.maxReplyBytes());
  }

  private static String text(ActionCall call, Action<?, ?> action, Progress progress) {
    var percent = progress.getPercent() == 0 ? "" : " (%d %%)".formatted(progress.getPercent());
    return "pod %s: %s: %s%s"
        .formatted(
            call.pod().name(), action.verb(), PlainText.clean(progress.getMessage()), percent);
  }
}
