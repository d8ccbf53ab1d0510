package io.middleware.engine.activities.pods;

import io.middleware.engine.activities.kubernetes.AppKey;
import io.middleware.engine.activities.kubernetes.PodState;
import io.middleware.engine.activities.pods.PodEvictor.RemovalAnswer.RemovalAccepted;
import io.middleware.engine.activities.pods.PodEvictor.RemovalAnswer.RemovalRefused;
import io.middleware.engine.activities.status.ActionProgressWriter;
import io.middleware.engine.api.App;
import io.middleware.engine.workflows.port.ChangeRef;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Removes a pod, with as many attempts as its disruption budget requires. The first refusal is
 * recorded as an event; the status shows the refusal until it is over.
 */
final class BudgetedEviction {
  private static final Duration BETWEEN_ATTEMPTS = Duration.ofSeconds(1);

  private final PodStepContext context;
  private final ChangeRef change;
  private Optional<ActionProgressWriter.Action> shownRefusal = Optional.empty();

  BudgetedEviction(PodStepContext context, ChangeRef change) {
    this.context = context;
    this.change = change;
  }

  /**
   * One attempt. After a refusal it returns when a budget of the App has changed, or a second
   * later.
   *
   * @param pod as read from the API server just before
   * @return why the removal was refused; empty when the pod is being deleted
   */
  Optional<String> attempt(App app, PodState pod) {
    var budgets = budgetVersions();
    return switch (context.evictor().remove(app, pod)) {
      case RemovalAccepted() -> Optional.empty();
      case RemovalRefused(var why) -> {
        var message = Optional.of("pod %s: %s".formatted(pod.name(), why));
        report(app, pod, message.get());
        context
            .waiter()
            .until(
                AppKey.of(change),
                BETWEEN_ATTEMPTS,
                () -> budgets.equals(budgetVersions()) ? message : Optional.empty());
        yield message;
      }
    };
  }

  /** There is no further attempt, because the pod is gone: removes the refusal from the status. */
  void done() {
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

  private List<String> budgetVersions() {
    return context.view().budgets(AppKey.of(change)).stream()
        .map(budget -> budget.getMetadata().getResourceVersion())
        .sorted()
        .toList();
  }
}
