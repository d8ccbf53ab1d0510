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
 * Puts a question to pods until an agent answers.
 *
 * <ol>
 *   <li>One pod after the other, as often as the policy says: mostly the first one answers.
 *   <li>When nobody has, the pods that were not asked yet, several at a time and for as long again
 *       as the tries may take.
 * </ol>
 */
final class AgentCalls {
  private static final Duration PAUSE = Duration.ofMillis(200);
  private static final int LONGEST_WORDS = 300;

  private final AgentChannels channels;
  private final AgentPolicy policy;

  AgentCalls(AgentChannels channels, AgentPolicy policy) {
    this.channels = channels;
    this.policy = policy;
  }

  /** Where to knock, and what to ask there. */
  record AgentCall<T>(AgentEndpoint at, Function<Channel, T> call) {}

  /**
   * What one call came to.
   *
   * @param isFinal whether asking on is no use
   */
  record CallReply<T>(OrderAnswer<T> answer, boolean isFinal) {}

  /**
   * @param pods to ask, in this order, and round again while attempts are left
   */
  <T> OrderAnswer<T> ask(List<PodState> pods, AgentCall<T> question) {
    var able = pods.stream().filter(pod -> pod.ip().isPresent()).toList();
    if (able.isEmpty()) {
      return new OrderAnswer.Missing<>("there is no ready pod to ask");
    }
    var reply = call(able.getFirst(), question);
    for (var attempt = 1; attempt < policy.attempts() && !reply.isFinal(); attempt++) {
      if (attempt % able.size() == 0) {
        rest(attempt);
      }
      reply = call(able.get(attempt % able.size()), question);
    }
    var others = able.stream().skip(policy.attempts()).toList();
    return reply.isFinal() || others.isEmpty()
        ? reply.answer()
        : ParallelFallback.ask(others, pod -> call(pod, question), policy.allAttempts())
            .orElse(reply.answer());
  }

  private <T> CallReply<T> call(PodState pod, AgentCall<T> question) {
    var channel = channels.to(question.at(), pod);
    try {
      return new CallReply<>(
          new OrderAnswer.Given<>(question.call().apply(channel), pod.name()), true);
    } catch (StatusRuntimeException e) {
      var why = "the agent of pod %s: %s".formatted(pod.name(), words(e.getStatus()));
      return switch (e.getStatus().getCode()) {
        case INVALID_ARGUMENT, FAILED_PRECONDITION ->
            new CallReply<>(new OrderAnswer.Refused<>(why), true);
        case UNIMPLEMENTED -> new CallReply<>(new OrderAnswer.Missing<>(why), true);
        default -> {
          knockAgain(channel);
          yield new CallReply<>(new OrderAnswer.Missing<>(why), false);
        }
      };
    }
  }

  /** The pod may have been made again at the same address: do not wait out an old failure. */
  static void knockAgain(ManagedChannel channel) {
    if (channel.getState(false) == ConnectivityState.TRANSIENT_FAILURE) {
      channel.resetConnectBackoff();
    }
  }

  /** The longer, the more attempts were made. */
  static void rest(int attempts) {
    try {
      Thread.sleep(PAUSE.multipliedBy(attempts));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Faults.of(FaultKind.UNAVAILABLE, "interrupted while asking agents");
    }
  }

  static String words(Status status) {
    var said = status.getDescription() == null ? "" : ": " + status.getDescription();
    return cut(status.getCode() + said);
  }

  /** What agents say may be long. */
  static String cut(String words) {
    return words.length() <= LONGEST_WORDS ? words : words.substring(0, LONGEST_WORDS) + "…";
  }
}
