package io.middleware.engine.activities.checks;

import io.middleware.engine.cluster.AppKey;
import io.middleware.engine.cluster.ClusterWaiter;
import io.middleware.engine.cluster.runlock.PauseGate;
import io.middleware.engine.workflows.port.ChangeRef;
import java.time.Duration;
import java.util.Optional;

/**
 * Carries checks out again and again beside the tasks of a change.
 *
 * <ol>
 *   <li>While the App is paused, do not look, and forget what was found.
 *   <li>Look at the checks that are due, component by component, and report what was found.
 *   <li>When one has failed too often in a row, report that, and end.
 *   <li>Otherwise wait until the next one is due.
 * </ol>
 */
final class CheckWatch {
  private static final Duration WHILE_PAUSED = Duration.ofSeconds(1);

  private final ChangeRef change;
  private final WatchedLooks looks;
  private final WatchContext context;

  /** What a watch works with. */
  record WatchContext(PauseGate gate, ClusterWaiter waiter, CheckReport report) {}

  CheckWatch(ChangeRef change, WatchedLooks looks, WatchContext context) {
    this.change = change;
    this.looks = looks;
    this.context = context;
  }

  /** Never returns: it is cancelled, or fails. */
  void run() {
    while (true) {
      if (context.gate().unpausedWithSpec(change).isEmpty()) {
        looks.forget();
        pause(WHILE_PAUSED);
      } else {
        lookAtThoseThatAreDue();
        pause(looks.untilTheNextIsDue());
      }
    }
  }

  private void lookAtThoseThatAreDue() {
    looks.lookAtThoseThatAreDue(
        context.waiter().heartbeat()::send,
        (component, due) -> context.report().watched(change, component, due));
    looks
        .failure()
        .ifPresent(
            why -> {
              context.report().failed(change, why);
              throw WatchedLooks.failed(why);
            });
  }

  private void pause(Duration time) {
    var message = looks.message();
    context.waiter().until(AppKey.of(change), time, () -> Optional.of(message));
  }
}
