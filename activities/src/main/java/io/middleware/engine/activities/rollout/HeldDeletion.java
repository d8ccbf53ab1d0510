package io.middleware.engine.activities.rollout;

import io.middleware.engine.cluster.status.ActionProgressWriter;
import java.time.Duration;

/** Shows what a deletion waits for in the App's status, once that takes long. */
final class HeldDeletion {
  /** Most pods are gone sooner; what holds a deletion is to be seen within 10 s. */
  private static final Duration SOON = Duration.ofSeconds(5);

  private final long began = System.nanoTime();
  private final ActionProgressWriter.Action status;

  HeldDeletion(ActionProgressWriter.Action status) {
    this.status = status;
  }

  void report(String message) {
    if (System.nanoTime() - began > SOON.toNanos()) {
      status.report(message);
    }
  }

  void done() {
    status.done();
  }
}
