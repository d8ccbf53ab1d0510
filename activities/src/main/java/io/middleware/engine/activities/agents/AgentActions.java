package io.middleware.engine.activities.agents;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.stub.BlockingClientCall;
import io.middleware.engine.activities.kubernetes.Faults;
import io.middleware.engine.activities.kubernetes.PodState;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.proto.tool.v1.DrainRequest;
import io.middleware.engine.proto.tool.v1.DrainResponse;
import io.middleware.engine.proto.tool.v1.Drained;
import io.middleware.engine.proto.tool.v1.Progress;
import io.middleware.engine.proto.tool.v1.ReloadRequest;
import io.middleware.engine.proto.tool.v1.ReloadResponse;
import io.middleware.engine.proto.tool.v1.SwitchoverRequest;
import io.middleware.engine.proto.tool.v1.SwitchoverResponse;
import io.middleware.engine.proto.tool.v1.ToolInvokerGrpc;
import io.middleware.engine.proto.tool.v1.ToolInvokerGrpc.ToolInvokerBlockingV2Stub;
import io.middleware.engine.workflows.port.AgentEndpoint;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Makes agents act on the process in their pod, and follows how far they are.
 *
 * <p>An action takes as long as its agent goes on telling how far it is. A call that says nothing
 * for the policy's deadline, or breaks off, is made again with the same operation id, so that the
 * agent goes on with what it does. The action is cancelled with the caller.
 */
public final class AgentActions {
  private static final long BEAT_MILLIS = 100;

  private final AgentChannels channels;
  private final AgentPolicy policy;

  /**
   * @param policy its deadline is the longest silence
   */
  public AgentActions(AgentChannels channels, AgentPolicy policy) {
    this.channels = channels;
    this.policy = policy;
  }

  /**
   * Which agent is asked, as part of what.
   *
   * @param operation the same whenever the same is meant, at most 128 characters
   */
  public record ActionCall(AgentEndpoint at, PodState pod, String operation) {
    public ActionCall {
      if (pod.ip().isEmpty()) {
        throw new IllegalArgumentException("pod %s has no address".formatted(pod.name()));
      }
    }
  }

  /**
   * @param verb for people
   * @param begin the call
   * @param end what a message answers at the end; empty when it is only a progress
   */
  private record Action<M, T>(
      String verb,
      Function<ToolInvokerBlockingV2Stub, BlockingClientCall<?, M>> begin,
      Function<M, Progress> progress,
      Function<M, Optional<T>> end) {}

  /**
   * Asks the primary to make another pod the primary.
   *
   * @param told how far it is, at least every 100 ms; may throw to cancel the action
   * @return with the name of the pod that is the primary now; empty when its agent cannot tell
   */
  public ActionOutcome<String> switchover(ActionCall errand, Consumer<String> told) {
    var request =
        SwitchoverRequest.newBuilder()
            .setOperationId(errand.operation())
            .setPodName(errand.pod().name())
            .setPodUid(errand.pod().uid())
            .build();
    return run(
        errand,
        new Action<>(
            "switch over",
            stub -> stub.switchover(request),
            SwitchoverResponse::getProgress,
            message ->
                message.hasDone() ? Optional.of(message.getDone().getPrimary()) : Optional.empty()),
        told);
  }

  /**
   * Asks a pod to put parameters in force.
   *
   * @param told as of {@link #switchover}
   * @return with the checksum of what is in force, as the protocol defines it
   */
  public ActionOutcome<String> reload(
      ActionCall errand, Map<String, String> parameters, Consumer<String> told) {
    var request =
        ReloadRequest.newBuilder()
            .setOperationId(errand.operation())
            .putAllParameters(parameters)
            .setPodName(errand.pod().name())
            .setPodUid(errand.pod().uid())
            .build();
    return run(
        errand,
        new Action<>(
            "reload",
            stub -> stub.reload(request),
            ReloadResponse::getProgress,
            message ->
                message.hasDone()
                    ? Optional.of(message.getDone().getChecksum())
                    : Optional.empty()),
        told);
  }

  /**
   * Asks a pod to make itself dispensable.
   *
   * @param told as of {@link #switchover}
   */
  public ActionOutcome<Drained> drain(ActionCall errand, Consumer<String> told) {
    var request =
        DrainRequest.newBuilder()
            .setOperationId(errand.operation())
            .setPodName(errand.pod().name())
            .setPodUid(errand.pod().uid())
            .build();
    return run(
        errand,
        new Action<>(
            "drain",
            stub -> stub.drain(request),
            DrainResponse::getProgress,
            message -> message.hasDone() ? Optional.of(message.getDone()) : Optional.empty()),
        told);
  }

  private <M, T> ActionOutcome<T> run(
      ActionCall errand, Action<M, T> action, Consumer<String> told) {
    var why = "";
    for (var attempt = 0; attempt < policy.attempts(); attempt++) {
      if (attempt > 0) {
        AgentCalls.rest(attempt);
      }
      try {
        return new ActionOutcome.Done<>(follow(errand, action, told));
      } catch (StatusException e) {
        why =
            "the agent of pod %s, asked to %s: %s"
                .formatted(errand.pod().name(), action.verb(), AgentCalls.words(e.getStatus()));
        switch (e.getStatus().getCode()) {
          case INVALID_ARGUMENT, FAILED_PRECONDITION -> {
            return new ActionOutcome.Refused<>(why);
          }
          case UNIMPLEMENTED -> {
            return new ActionOutcome.Unknown<>(why);
          }
          default -> AgentCalls.knockAgain(channels.to(errand.at(), errand.pod()));
        }
      }
    }
    return new ActionOutcome.Unanswered<>(why);
  }

  private <M, T> T follow(ActionCall errand, Action<M, T> action, Consumer<String> told)
      throws StatusException {
    var call = action.begin().apply(stub(errand));
    var words = "pod %s: asked to %s".formatted(errand.pod().name(), action.verb());
    var heard = System.nanoTime();
    try {
      while (true) {
        told.accept(words);
        var message = next(call);
        if (message.isPresent()) {
          var end = action.end().apply(message.get());
          if (end.isPresent()) {
            return end.get();
          }
          heard = System.nanoTime();
          words = words(errand, action, action.progress().apply(message.get()));
        } else if (System.nanoTime() - heard > policy.deadline().toNanos()) {
          throw failure(
              Status.DEADLINE_EXCEEDED,
              "no word for %d ms".formatted(policy.deadline().toMillis()));
        }
      }
    } finally {
      call.cancel("nobody listens any more", null);
    }
  }

  /** What is said within a beat; empty when nothing is. */
  private static <M> Optional<M> next(BlockingClientCall<?, M> call) throws StatusException {
    try {
      var message = call.read(BEAT_MILLIS, MILLISECONDS);
      if (message == null) {
        throw failure(Status.UNAVAILABLE, "it ended without a result");
      }
      return Optional.of(message);
    } catch (TimeoutException e) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Faults.of(FaultKind.UNAVAILABLE, "interrupted while an agent was acting");
    }
  }

  private ToolInvokerBlockingV2Stub stub(ActionCall errand) {
    return ToolInvokerGrpc.newBlockingV2Stub(channels.to(errand.at(), errand.pod()))
        .withMaxInboundMessageSize(policy.maxReplyBytes());
  }

  private static String words(ActionCall errand, Action<?, ?> action, Progress progress) {
    var percent = progress.getPercent() == 0 ? "" : " (%d %%)".formatted(progress.getPercent());
    return AgentCalls.cut(
        "pod %s: %s: %s%s"
            .formatted(errand.pod().name(), action.verb(), progress.getMessage(), percent));
  }

  private static StatusException failure(Status status, String why) {
    return status.withDescription(why).asException();
  }
}
