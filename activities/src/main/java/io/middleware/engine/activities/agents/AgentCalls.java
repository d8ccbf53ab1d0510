package io.middleware.engine.activities.agents;

import io.grpc.Channel;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.middleware.engine.activities.kubernetes.Faults;
import io.middleware.engine.activities.kubernetes.PodState;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.workflows.port.AgentEndpoint;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/**
 * Asks the agents of several pods until one answers.
 *
 * <ol>
 *   <li>Ask one pod after the other, as often as the policy allows. Usually the first one answers.
 *   <li>If none has answered, ask the remaining pods, several at a time, for as long as the
 *       attempts in 1 may take.
 * </ol>
 */
final class AgentCalls {
  private static final Duration PAUSE = Duration.ofMillis(200);
  private static final int MAX_MESSAGE = 300;

  private final AgentChannels channels;
  private final AgentPolicy policy;

  AgentCalls(AgentChannels channels, AgentPolicy policy) {
    this.channels = channels;
    this.policy = policy;
  }

  /** The endpoint and the call to make there. */
  record AgentCall<T>(AgentEndpoint endpoint, Function<Channel, T> call) {}

  /**
   * The result of one call.
   *
   * @param isFinal whether further calls would not help
   */
  record CallReply<T>(AgentAnswer<T> answer, boolean isFinal) {}

  /**
   * @param pods to ask in this order, starting over while attempts remain
   */
  <T> AgentAnswer<T> ask(List<PodState> pods, AgentCall<T> query) {
    var addressable = pods.stream().filter(pod -> pod.ip().isPresent()).toList();
    if (addressable.isEmpty()) {
      return new AgentAnswer.AnswerMissing<>("there is no ready pod to ask");
    }
    var reply = call(addressable.getFirst(), query);
    for (var attempt = 1; attempt < policy.attempts() && !reply.isFinal(); attempt++) {
      if (attempt % addressable.size() == 0) {
        sleep(attempt);
      }
      reply = call(addressable.get(attempt % addressable.size()), query);
    }
    var others = addressable.stream().skip(policy.attempts()).toList();
    return reply.isFinal() || others.isEmpty()
        ? reply.answer()
        : ParallelFallback.ask(others, pod -> call(pod, query), policy.allAttempts())
            .orElse(reply.answer());
  }

  private <T> CallReply<T> call(PodState pod, AgentCall<T> query) {
    var channel = channels.to(query.endpoint(), pod);
    try {
      return new CallReply<>(
          new AgentAnswer.AnswerGiven<>(query.call().apply(channel), pod.name()), true);
    } catch (StatusRuntimeException e) {
      var why =
          "the agent of pod %s failed to answer: %s".formatted(pod.name(), message(e.getStatus()));
      return switch (e.getStatus().getCode()) {
        case INVALID_ARGUMENT, FAILED_PRECONDITION ->
            new CallReply<>(new AgentAnswer.AnswerRefused<>(why), true);
        case UNIMPLEMENTED -> new CallReply<>(new AgentAnswer.AnswerMissing<>(why), true);
        default -> {
          reconnect(channel);
          yield new CallReply<>(new AgentAnswer.AnswerMissing<>(why), false);
        }
      };
    }
  }

  /** Skips the backoff after a failure, because a new pod may have the same address. */
  static void reconnect(ManagedChannel channel) {
    if (channel.getState(false) == ConnectivityState.TRANSIENT_FAILURE) {
      channel.resetConnectBackoff();
    }
  }

  /** Sleeps longer after each attempt. */
  static void sleep(int attempts) {
    try {
      Thread.sleep(PAUSE.multipliedBy(attempts));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Faults.of(FaultKind.UNAVAILABLE, "interrupted while asking agents");
    }
  }

  static String message(Status status) {
    var description = status.getDescription() == null ? "" : ": " + status.getDescription();
    return shorten(status.getCode() + description);
  }

  /** Shortens text from agents. */
  static String shorten(String text) {
    return text.length() <= MAX_MESSAGE ? text : text.substring(0, MAX_MESSAGE) + "…";
  }
}
