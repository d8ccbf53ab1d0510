package io.middleware.engine.activities.agents;

import io.grpc.Channel;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.middleware.engine.activities.kubernetes.Faults;
import io.middleware.engine.activities.kubernetes.PodState;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.workflows.port.AgentEndpoint;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Asks the agents of several pods until one answers.
 *
 * <ol>
 *   <li>Ask one pod after the other, at most as many as the policy has attempts. Usually the first
 *       one answers. A pod that does not know the question is not asked again.
 *   <li>If none has answered, ask the remaining pods, several at a time, for as long as the
 *       attempts in 1 may take.
 *   <li>If none has answered, begin again at 1 after a pause, which grows, until the attempts and
 *       the patience of the policy are used up.
 * </ol>
 */
final class AgentCalls {
  private static final Duration PAUSE = Duration.ofMillis(200);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(3);

  private final AgentChannels channels;
  private final AgentPolicy policy;
  private final Consumer<String> trouble;

  /**
   * @param trouble receives why a call has failed that is made again
   */
  AgentCalls(AgentChannels channels, AgentPolicy policy, Consumer<String> trouble) {
    this.channels = channels;
    this.policy = policy;
    this.trouble = trouble;
  }

  /**
   * The endpoint and the call to make there.
   *
   * @param question for people, such as {@code GetRole}
   */
  record AgentCall<T>(AgentEndpoint endpoint, String question, Function<Channel, T> call) {}

  /**
   * The result of one call.
   *
   * @param isFinal whether further calls, of any pod, would not help
   */
  record CallReply<T>(AgentAnswer<T> answer, boolean isFinal) {}

  /**
   * @param pods to ask in this order, starting over while attempts and patience remain
   */
  <T> AgentAnswer<T> ask(List<PodState> pods, AgentCall<T> query) {
    var addressable = pods.stream().filter(pod -> pod.ip().isPresent()).toList();
    return addressable.isEmpty()
        ? new AgentAnswer.AnswerMissing<>("there is no ready pod to ask", true)
        : new AgentQuestion<>(policy, addressable, pod -> call(pod, query)).ask();
  }

  private <T> CallReply<T> call(PodState pod, AgentCall<T> query) {
    var channel = channels.to(query.endpoint(), pod);
    try {
      return new CallReply<>(
          new AgentAnswer.AnswerGiven<>(query.call().apply(channel), pod.name()), true);
    } catch (StatusRuntimeException e) {
      if (Thread.currentThread().isInterrupted()) {
        throw interrupted();
      }
      var why =
          CallFailure.message(
              query.endpoint(),
              pod,
              "answer " + query.question(),
              CallFailure.why(e.getStatus(), policy));
      return switch (e.getStatus().getCode()) {
        case INVALID_ARGUMENT, FAILED_PRECONDITION ->
            new CallReply<>(new AgentAnswer.AnswerRefused<>(why), true);
        case UNIMPLEMENTED -> new CallReply<>(new AgentAnswer.AnswerMissing<>(why, true), false);
        default -> {
          reconnect(channel);
          trouble.accept(why);
          yield new CallReply<>(new AgentAnswer.AnswerMissing<>(why, false), false);
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
      var pause = PAUSE.multipliedBy(1L << Math.min(attempts - 1, 10));
      Thread.sleep(pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw interrupted();
    }
  }

  private static RuntimeException interrupted() {
    return Faults.of(FaultKind.UNAVAILABLE, "interrupted while asking agents");
  }
}
