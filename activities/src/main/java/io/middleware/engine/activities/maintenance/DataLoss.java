package io.middleware.engine.activities.maintenance;

import io.middleware.engine.activities.pods.PodStepContext;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.task.Backoff;
import io.middleware.engine.cluster.AppKey;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.cluster.status.ActionProgressWriter;
import io.middleware.engine.workflows.port.ChangeRef;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Leaves pods alone with which data would go, until the user accepts that ({@link
 * Labels#ACCEPT_DATA_LOSS}) or deletes the App by force. Each refusal is in the App's status while
 * it lasts, and in an event.
 */
final class DataLoss {
  private static final Backoff BACKOFF = new Backoff(Duration.ofSeconds(5), Duration.ofMinutes(1));

  private final PodStepContext context;
  private final ChangeRef change;
  private Duration pause = BACKOFF.first();
  private Optional<ActionProgressWriter.Action> shown = Optional.empty();

  DataLoss(PodStepContext context, ChangeRef change) {
    this.context = context;
    this.change = change;
  }

  boolean isAccepted(App app) {
    return app.acceptsDataLoss(change.generation()) || app.isDeletedByForce();
  }

  /** A message, such as of {@link #refuse}, for data that are not durable. */
  String notDurable(PodState pod, String why) {
    return "pod %s: its data are not durable, and nothing is stopped: %s; asked again; to lose what is not on the volume, set annotation %s: \"%d\" on the App"
        .formatted(pod.name(), why, Labels.ACCEPT_DATA_LOSS, change.generation());
  }

  /**
   * Returns after a pause that grows, or when the user accepts, or a pod has come or gone.
   *
   * @param subject the same for the same pods
   * @param message for people, beginning with the pod
   */
  void refuse(App app, String subject, String message) {
    if (shown.isEmpty()) {
      shown = Optional.of(context.reporter().progressOf(change));
      context.reporter().kept(app, change, subject, message);
    }
    var progress = shown.get();
    var before = observed();
    context
        .waiter()
        .until(
            AppKey.of(change),
            nextPause(),
            context
                .gate()
                .watch(change)
                .guard(
                    () -> {
                      progress.report(message);
                      return before.equals(observed()) ? Optional.of(message) : Optional.empty();
                    }));
  }

  /** The pods may go: removes the refusal from the status. */
  void done() {
    shown.ifPresent(ActionProgressWriter.Action::done);
  }

  private Duration nextPause() {
    var next = pause;
    pause = BACKOFF.next(pause);
    return next;
  }

  private Observed observed() {
    var key = AppKey.of(change);
    return new Observed(
        context.view().pods(key).stream().map(pod -> pod.uid() + pod.isTerminating()).toList(),
        context.view().app(key).filter(this::isAccepted).isPresent());
  }

  private record Observed(List<String> pods, boolean accepted) {}
}
