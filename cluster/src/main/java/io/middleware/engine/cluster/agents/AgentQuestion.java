package io.middleware.engine.cluster.agents;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.grpc.Channel;
import io.grpc.StatusRuntimeException;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.cluster.agents.AgentAnswer.AnswerGiven;
import io.middleware.engine.cluster.agents.AgentAnswer.AnswerMissing;
import io.middleware.engine.cluster.agents.AgentAnswer.AnswerRefused;
import io.middleware.engine.workflows.port.AgentEndpoint;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * One question, asked to the agents of several pods until one answers.
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
final class AgentQuestion<T> {
  private static final Duration PAUSE = Duration.ofMillis(200);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(3);

  /** Few: if all agents are in trouble, each of them may have to ask the others. */
  private static final int CONCURRENCY = 8;

  private final AgentChannels channels;
  private final AgentPolicy policy;
  private final Consumer<String> trouble;
  private final List<PodState> pods;
  private final AgentCall<T> call;
  private final long patientUntil;

  /** The uids of the pods that do not know the question. */
  private final Set<String> without = ConcurrentHashMap.newKeySet();

  private final Lock lock = new ReentrantLock();
  private int failed;
  private AgentAnswer<T> last;

  /**
   * The endpoint and the call to make there.
   *
   * @param question for people, such as {@code GetRole}
   */
  record AgentCall<T>(AgentEndpoint endpoint, String question, Function<Channel, T> call) {}

  /**
   * @param trouble receives why a call has failed that is made again
   * @param pods to ask in this order, starting over while attempts and patience remain
   */
  AgentQuestion(
      AgentChannels channels,
      AgentPolicy policy,
      Consumer<String> trouble,
      List<PodState> pods,
      AgentCall<T> call) {
    this.channels = channels;
    this.policy = policy;
    this.trouble = trouble;
    this.pods =
        pods.stream().filter(pod -> pod.ip().isPresent() && channels.mayHaveAgent(pod)).toList();
    this.call = call;
    this.patientUntil = System.nanoTime() + policy.patience().toNanos();
  }

  AgentAnswer<T> ask() {
    if (pods.isEmpty()) {
      return new AnswerMissing<>("there is no ready pod to ask", true);
    }
    var answer = round();
    for (var pause = 1; answer.isEmpty() && mayGoOn(); pause++) {
      sleep(pause);
      answer = round();
    }
    return answer.orElse(last);
  }

  private boolean mayGoOn() {
    return !remaining().isEmpty()
        && (failed < policy.attempts() || System.nanoTime() < patientUntil);
  }

  private List<PodState> remaining() {
    return pods.stream().filter(pod -> !without.contains(pod.uid())).toList();
  }

  /** Empty without a final answer. */
  private Optional<AgentAnswer<T>> round() {
    var remaining = remaining();
    var first = remaining.stream().limit(policy.attempts()).toList();
    for (var pod : first) {
      if (!mayGoOn()) {
        return Optional.empty();
      }
      var answer = ask(pod, true);
      if (!(answer instanceof AnswerMissing)) {
        return Optional.of(answer);
      }
    }
    var others = remaining.subList(first.size(), remaining.size());
    return others.isEmpty() ? Optional.empty() : askSeveralAtATime(others);
  }

  private Optional<AgentAnswer<T>> askSeveralAtATime(List<PodState> others) {
    try (var threads = Executors.newFixedThreadPool(CONCURRENCY, Thread.ofVirtual().factory())) {
      try {
        var until = System.nanoTime() + policy.allAttempts().toNanos();
        var answers = new ExecutorCompletionService<AgentAnswer<T>>(threads);
        others.forEach(pod -> answers.submit(() -> ask(pod, false)));
        return firstFinal(answers, others.size(), until);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw interrupted();
      } finally {
        threads.shutdownNow(); // the other answers are not needed
      }
    }
  }

  private static <T> Optional<AgentAnswer<T>> firstFinal(
      CompletionService<AgentAnswer<T>> answers, int count, long until)
      throws InterruptedException {
    for (var open = count; open > 0; open--) {
      var next = answers.poll(until - System.nanoTime(), NANOSECONDS);
      if (next == null) {
        return Optional.empty();
      }
      var answer = Faults.result(next);
      if (!(answer instanceof AnswerMissing)) {
        return Optional.of(answer);
      }
    }
    return Optional.empty();
  }

  /**
   * Asks one pod, and keeps what to say in the end: a pod that might still answer says more about
   * the trouble than one that never will.
   *
   * @param counts whether the call is one of the policy's attempts
   */
  private AgentAnswer<T> ask(PodState pod, boolean counts) {
    var answer = answer(pod);
    lock.lock();
    try {
      if (isLasting(answer)) {
        without.add(pod.uid());
        last = last == null ? answer : last;
      } else {
        failed += counts ? 1 : 0;
        last = counts || isLasting(last) ? answer : last;
      }
    } finally {
      lock.unlock();
    }
    return answer;
  }

  private static <T> boolean isLasting(AgentAnswer<T> answer) {
    return answer instanceof AnswerMissing<T>(var why, var lasting) && lasting;
  }

  private AgentAnswer<T> answer(PodState pod) {
    var channel = channels.to(call.endpoint(), pod);
    try {
      return new AnswerGiven<>(call.call().apply(channel), pod.name());
    } catch (StatusRuntimeException e) {
      if (Thread.currentThread().isInterrupted()) {
        throw interrupted();
      }
      var why =
          CallFailure.message(
              channels.endpoint(call.endpoint(), pod),
              pod,
              "answer " + call.question(),
              CallFailure.why(e.getStatus(), policy));
      return switch (e.getStatus().getCode()) {
        case INVALID_ARGUMENT, FAILED_PRECONDITION -> new AnswerRefused<>(why);
        case UNIMPLEMENTED -> new AnswerMissing<>(why, true);
        default -> {
          AgentChannels.reconnect(channel);
          trouble.accept(why);
          yield new AnswerMissing<>(why, false);
        }
      };
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
