package io.middleware.engine.activities.agents;

import io.middleware.engine.activities.agents.AgentCalls.CallReply;
import io.middleware.engine.activities.kubernetes.PodState;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/** One question, asked in rounds as {@link AgentCalls} describes. */
final class AgentQuestion<T> {
  private final AgentPolicy policy;
  private final List<PodState> pods;
  private final Function<PodState, CallReply<T>> call;
  private final long patientUntil;

  /** The uids of the pods that do not know the question. */
  private final Set<String> without = ConcurrentHashMap.newKeySet();

  private final Lock lock = new ReentrantLock();
  private int failed;
  private AgentAnswer<T> last;

  /**
   * @param pods at least one
   * @param call asks one of them
   */
  AgentQuestion(AgentPolicy policy, List<PodState> pods, Function<PodState, CallReply<T>> call) {
    this.policy = policy;
    this.pods = pods;
    this.call = call;
    this.patientUntil = System.nanoTime() + policy.patience().toNanos();
  }

  AgentAnswer<T> ask() {
    var answer = round();
    for (var pause = 1; answer.isEmpty() && mayGoOn(); pause++) {
      AgentCalls.sleep(pause);
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

  private Optional<AgentAnswer<T>> round() {
    var remaining = remaining();
    var first = remaining.stream().limit(policy.attempts()).toList();
    for (var pod : first) {
      if (!mayGoOn()) {
        return Optional.empty();
      }
      var reply = call.apply(pod);
      keep(pod, reply, true);
      if (reply.isFinal()) {
        return Optional.of(reply.answer());
      }
    }
    var others = remaining.subList(first.size(), remaining.size());
    return others.isEmpty()
        ? Optional.empty()
        : ParallelAgentCalls.ask(others, this::callInParallel, policy.allAttempts());
  }

  private CallReply<T> callInParallel(PodState pod) {
    var reply = call.apply(pod);
    keep(pod, reply, false);
    return reply;
  }

  /**
   * Keeps what to say in the end: a pod that might still answer says more about the trouble than
   * one that never will.
   */
  private void keep(PodState pod, CallReply<T> reply, boolean counts) {
    lock.lock();
    try {
      if (isLasting(reply.answer())) {
        without.add(pod.uid());
        last = last == null ? reply.answer() : last;
      } else {
        failed += counts ? 1 : 0;
        last = counts || isLasting(last) ? reply.answer() : last;
      }
    } finally {
      lock.unlock();
    }
  }

  private static <T> boolean isLasting(AgentAnswer<T> answer) {
    return answer instanceof AgentAnswer.AnswerMissing<T>(var why, var lasting) && lasting;
  }
}
