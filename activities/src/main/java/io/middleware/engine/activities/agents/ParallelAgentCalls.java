package io.middleware.engine.activities.agents;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.middleware.engine.activities.agents.AgentCalls.CallReply;
import io.middleware.engine.activities.kubernetes.Faults;
import io.middleware.engine.activities.kubernetes.PodState;
import io.middleware.engine.api.task.FaultKind;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;

/** Asks many pods once each, several at a time, until one of them answers. */
final class ParallelAgentCalls {
  /** Few: if all agents are in trouble, each of them may have to ask the others. */
  private static final int CONCURRENCY = 8;

  private ParallelAgentCalls() {}

  /**
   * @param call to one of the pods; interrupted when its reply is no longer needed
   * @param atMost how long to wait for replies
   * @return the first final reply; empty when there is none
   */
  static <T> Optional<AgentAnswer<T>> ask(
      List<PodState> pods, Function<PodState, CallReply<T>> call, Duration atMost) {
    try (var threads = Executors.newFixedThreadPool(CONCURRENCY, Thread.ofVirtual().factory())) {
      try {
        return ask(pods, call, atMost, threads);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw Faults.of(FaultKind.UNAVAILABLE, "interrupted while asking agents");
      } finally {
        threads.shutdownNow();
      }
    }
  }

  private static <T> Optional<AgentAnswer<T>> ask(
      List<PodState> pods,
      Function<PodState, CallReply<T>> call,
      Duration atMost,
      ExecutorService threads)
      throws InterruptedException {
    var until = System.nanoTime() + atMost.toNanos();
    var replies = new ExecutorCompletionService<CallReply<T>>(threads);
    pods.forEach(pod -> replies.submit(() -> call.apply(pod)));
    for (var open = pods.size(); open > 0; open--) {
      var next = replies.poll(until - System.nanoTime(), NANOSECONDS);
      if (next == null) {
        return Optional.empty();
      }
      var reply = Faults.result(next);
      if (reply.isFinal()) {
        return Optional.of(reply.answer());
      }
    }
    return Optional.empty();
  }
}
