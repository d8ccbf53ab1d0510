package io.middleware.engine.activities.pods;

import io.middleware.engine.activities.kubernetes.AppKey;
import io.middleware.engine.activities.kubernetes.PodState;
import io.middleware.engine.activities.pods.PodEvictor.Outcome;
import io.middleware.engine.activities.pods.PodReplacement.Cluster;
import io.middleware.engine.activities.status.ActionProgressWriter;
import io.middleware.engine.api.App;
import io.middleware.engine.workflows.port.ChangeRef;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Takes a pod away, in as many tries as its disruption budget needs. That it refuses is an event
 * once, and stands in the status for as long as it does.
 */
final class BudgetedEviction {
  private static final Duration BETWEEN_TRIES = Duration.ofSeconds(1);

  private final PodEvictor remover = new PodEvictor();
  private final Cluster cluster;
  private final ChangeRef change;
  private Optional<ActionProgressWriter.Action> refused = Optional.empty();

  BudgetedEviction(Cluster cluster, ChangeRef change) {
    this.cluster = cluster;
    this.change = change;
  }

  /**
   * One try. After a refusal it returns when a budget of the App has changed, or a second later.
   *
   * @param pod as looked up just before
   * @return why it was refused; empty when the pod goes
   */
  Optional<String> attempt(App app, PodState pod) {
    var budgets = budgets();
    return switch (remover.remove(cluster.writers().of(app), pod)) {
      case Outcome.Leaving() -> Optional.empty();
      case Outcome.Refused(var why) -> {
        var words = Optional.of("pod %s: %s".formatted(pod.name(), why));
        tell(app, pod, words.get());
        cluster
            .waiting()
            .until(
                AppKey.of(change),
                BETWEEN_TRIES,
                () -> budgets.equals(budgets()) ? words : Optional.empty());
        yield words;
      }
    };
  }

  /** It is not tried again, whoever took the pod: the refusal is shown no more. */
  void done() {
    refused.ifPresent(ActionProgressWriter.Action::done);
  }

  private void tell(App app, PodState pod, String words) {
    if (refused.isEmpty()) {
      refused = Optional.of(cluster.board().open(change));
      cluster.tell(app, "EvictionRefused", "Replace", pod, words + "; it is tried again");
    }
    refused.get().tell(words);
  }

  private List<String> budgets() {
    return cluster.view().budgets(AppKey.of(change)).stream()
        .map(budget -> budget.getMetadata().getResourceVersion())
        .sorted()
        .toList();
  }
}
