package io.middleware.engine.activities.pods;

import io.middleware.engine.activities.pods.PodEvictor.RemovalAnswer;
import io.middleware.engine.activities.pods.PodEvictor.RemovalAnswer.RemovalAccepted;
import io.middleware.engine.activities.pods.PodEvictor.RemovalAnswer.RemovalRefused;
import io.middleware.engine.api.App;
import io.middleware.engine.api.task.Backoff;
import io.middleware.engine.cluster.AppKey;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.cluster.status.ActionProgressWriter;
import io.middleware.engine.workflows.port.ChangeRef;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/**
 * Removes a pod, with as many attempts as its disruption budgets require. The first refusal is
 * recorded as an event; the status shows the refusal until it is over, also during a long pause.
 */
public final class BudgetedEviction {
  private static final Backoff BACKOFF = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(10));

  private final PodStepContext context;
  private final ChangeRef change;
  private Duration pause = BACKOFF.first();
  private Optional<ActionProgressWriter.Action> shownRefusal = Optional.empty();

  public BudgetedEviction(PodStepContext context, ChangeRef change) {
    this.context = context;
    this.change = change;
  }

  /**
   * One attempt. After a refusal it returns when a budget of the App or the pod has changed, or
   * after a pause that grows with each refusal.
   *
   * @param pod as read from the API server just before
   * @return why the removal was refused; empty when the pod is being deleted
   */
  public Optional<String> attempt(App app, PodState pod) {
    return attempt(app, pod, context.evictor()::replace);
  }

  /** Whether an attempt would be refused now; it returns then as one that was refused. */
  public boolean isRefused(App app, PodState pod) {
    return attempt(app, pod, context.evictor()::ask).isPresent();
  }

  private Optional<String> attempt(
      App app, PodState pod, BiFunction<App, PodState, RemovalAnswer> removal) {
    var before = observed(pod);
    return switch (removal.apply(app, pod)) {
      case RemovalAccepted() -> Optional.empty();
      case RemovalRefused(var why) -> {
        var message = Optional.of("pod %s: %s".formatted(pod.name(), why));
        context
            .waiter()
            .until(
                AppKey.of(change),
                nextPause(),
                () -> {
                  report(app, pod, message.get());
                  return before.equals(observed(pod)) ? message : Optional.empty();
                });
        yield message;
      }
    };
  }

  private Duration nextPause() {
    var next = pause;
    pause = BACKOFF.next(pause);
    return next;
  }

  /** There is no further attempt, because the pod is gone: removes the refusal from the status. */
  public void done() {
    shownRefusal.ifPresent(ActionProgressWriter.Action::done);
  }

  private void report(App app, PodState pod, String message) {
    if (shownRefusal.isEmpty()) {
      shownRefusal = Optional.of(context.reporter().progressOf(change));
      context
          .reporter()
          .event(app, "EvictionRefused", "Replace", pod, message + "; the eviction is retried");
    }
    shownRefusal.get().report(message);
  }

  /** What decides whether the pod may go: the App's budgets, and the pod itself. */
  private List<String> observed(PodState pod) {
    var key = AppKey.of(change);
    var budgets =
        context.view().budgets(key).stream()
            .map(budget -> budget.getMetadata().getResourceVersion())
            .sorted();
    var state =
        context.view().pods(key).stream()
            .filter(now -> now.uid().equals(pod.uid()))
            .map(now -> now.isReady() + " " + now.isTerminating());
    return Stream.concat(budgets, state).toList();
  }
}
