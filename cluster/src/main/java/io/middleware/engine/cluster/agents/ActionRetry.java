package io.middleware.engine.cluster.agents;

import io.middleware.engine.cluster.ClusterWaiter;
import io.middleware.engine.cluster.ExistingPods;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.cluster.agents.ActionOutcome.ActionUnanswered;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Asks a pod for an action again and again, until its agent answers or the pod is gone.
 *
 * @param pods among which the pod is looked for
 * @param listener receives while the agent is silent what is waited for; may throw to end that
 */
public record ActionRetry(
    ClusterWaiter waiter, ExistingPods pods, PodState pod, Consumer<String> listener) {
  /** Between two calls of an agent that does not answer. */
  private static final Duration PAUSE = Duration.ofSeconds(2);

  /**
   * @param action asks once, each time with the same operation id
   * @param unanswered receives after each call why there is no answer, and says that to people
   * @return unanswered only when the pod is gone
   */
  public <T> ActionOutcome<T> untilAnswered(
      Supplier<ActionOutcome<T>> action, UnaryOperator<String> unanswered) {
    while (true) {
      var outcome = action.get();
      if (!(outcome instanceof ActionUnanswered<T>(var why)) || isGone(unanswered.apply(why))) {
        return outcome;
      }
    }
  }

  /** Waits a while, or until the pod is gone. */
  private boolean isGone(String why) {
    var message = why + "; asked again until it answers";
    return waiter
        .until(
            pods.app(),
            PAUSE,
            () -> {
              listener.accept(message);
              return pods.exists(pod.uid()) ? Optional.of(message) : Optional.empty();
            })
        .isEmpty();
  }
}
