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

/** Puts a question to one pod after the other until an agent answers. */
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
  record Question<T>(AgentEndpoint at, Function<Channel, T> call) {}

  /**
   * @param pods to ask, in this order, and round again while attempts are left
   */
  <T> Answer<T> ask(List<PodState> pods, Question<T> question) {
    var able = pods.stream().filter(pod -> pod.ip().isPresent()).toList();
    if (able.isEmpty()) {
      return new Answer.Missing<>("there is no ready pod to ask");
    }
    var why = "";
    for (var attempt = 0; attempt < policy.attempts(); attempt++) {
      if (attempt > 0 && attempt % able.size() == 0) {
        rest(attempt);
      }
      var pod = able.get(attempt % able.size());
      var channel = channels.to(question.at(), pod);
      try {
        return new Answer.Given<>(question.call().apply(channel), pod.name());
      } catch (StatusRuntimeException e) {
        why = "the agent of pod %s: %s".formatted(pod.name(), words(e.getStatus()));
        switch (e.getStatus().getCode()) {
          case INVALID_ARGUMENT, FAILED_PRECONDITION -> {
            return new Answer.Refused<>(why);
          }
          case UNIMPLEMENTED -> {
            return new Answer.Missing<>(why);
          }
          default -> knockAgain(channel);
        }
      }
    }
    return new Answer.Missing<>(why);
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
