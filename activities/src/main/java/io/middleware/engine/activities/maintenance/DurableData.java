package io.middleware.engine.activities.maintenance;

import io.middleware.engine.activities.pods.AgentActionProgress;
import io.middleware.engine.activities.pods.PodStepContext;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.cluster.agents.ActionOutcome;
import io.middleware.engine.cluster.agents.ActionOutcome.ActionDone;
import io.middleware.engine.cluster.agents.ActionOutcome.ActionRefused;
import io.middleware.engine.cluster.agents.ActionOutcome.ActionUnanswered;
import io.middleware.engine.cluster.agents.ActionOutcome.ActionUnknown;
import io.middleware.engine.cluster.agents.AgentActions;
import io.middleware.engine.cluster.agents.AgentActions.ActionCall;
import io.middleware.engine.cluster.agents.AttendedCalls;
import io.middleware.engine.workflows.port.AgentEndpoint;
import io.middleware.engine.workflows.port.ChangeRef;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * Has pods that are taken away next make their data durable. They take no writes from then on,
 * until they are gone or {@link #resume}. An agent that knows nothing of it has nothing to make
 * durable.
 */
final class DurableData {
  private final PodStepContext context;
  private final AgentActions actions;
  private final AgentEndpoint agents;
  private final ChangeRef change;
  private final String step;
  private int count;

  /**
   * @param step names the step for agents; the same when the step is repeated
   */
  DurableData(
      PodStepContext context,
      AgentActions actions,
      AgentEndpoint agents,
      ChangeRef change,
      String step) {
    this.context = context;
    this.actions = actions;
    this.agents = agents;
    this.change = change;
    this.step = step;
  }

  /**
   * What came of it.
   *
   * @param problem why the data are not durable; empty when they are
   * @param refused whether the agent says so; otherwise it does not answer
   * @param at when the agent has answered, in nanoseconds of no meaning
   */
  record Answer(Optional<String> problem, boolean refused, long at) {
    boolean isOlderThan(Duration age) {
      return System.nanoTime() - at > age.toNanos();
    }
  }

  /**
   * Asks them at a time, and waits as long as it takes. When it is cancelled, all of them take
   * writes again.
   *
   * @param pods that have an address
   */
  Map<PodState, Answer> persist(List<PodState> pods) {
    count++;
    try {
      return answers(pods);
    } catch (RuntimeException e) {
      resume(pods);
      throw e;
    }
  }

  /** Lets them take writes again, as none of them is taken away now. */
  void resume(List<PodState> pods) {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      pods.forEach(pod -> threads.submit(() -> actions.resume(call(pod))));
    }
  }

  /** Only the step's own thread may send heartbeats, and learns of a cancel. */
  private Map<PodState, Answer> answers(List<PodState> pods) {
    var progress = AgentActionProgress.of(context, change);
    var message = new AtomicReference<>("pods are asked to make their data durable");
    var answers =
        AttendedCalls.await(
            () -> answers(pods, message::set), () -> progress.accept(message.get()));
    progress.done();
    return answers;
  }

  private Map<PodState, Answer> answers(List<PodState> pods, Consumer<String> listener) {
    var calls = new LinkedHashMap<PodState, Future<Answer>>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      pods.forEach(pod -> calls.put(pod, threads.submit(() -> answer(pod, listener))));
    }
    var answers = new LinkedHashMap<PodState, Answer>();
    calls.forEach((pod, call) -> answers.put(pod, Faults.result(call)));
    return answers;
  }

  /** An agent that cannot be reached, as without the Secret of its TLS, does not answer. */
  private Answer answer(PodState pod, Consumer<String> listener) {
    try {
      return answer(actions.persist(call(pod), listener));
    } catch (ApplicationFailure e) {
      if (e.isNonRetryable()) {
        return answer(Optional.of(e.getOriginalMessage()), false);
      }
      throw e;
    }
  }

  private static Answer answer(ActionOutcome<?> outcome) {
    return switch (outcome) {
      case ActionDone<?> done -> answer(Optional.empty(), false);
      case ActionUnknown<?> nothingToDo -> answer(Optional.empty(), false);
      case ActionRefused<?>(var why) -> answer(Optional.of(why), true);
      case ActionUnanswered<?>(var why) -> answer(Optional.of(why), false);
    };
  }

  private static Answer answer(Optional<String> problem, boolean refused) {
    return new Answer(problem, refused, System.nanoTime());
  }

  private ActionCall call(PodState pod) {
    return new ActionCall(agents, pod, "%s/persist-%d".formatted(step, count));
  }
}
