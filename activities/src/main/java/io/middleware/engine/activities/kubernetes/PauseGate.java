package io.middleware.engine.activities.kubernetes;

import io.middleware.engine.api.App;
import io.middleware.engine.workflows.port.ChangeRef;
import java.util.Optional;

/** Lets a step begin: the run holds the claim, and nobody holds the App. */
public final class PauseGate {
  private final RunLockFence fence;
  private final ClusterView view;
  private final ClusterWaiter waiting;

  public PauseGate(RunLockFence fence, ClusterView view, ClusterWaiter waiting) {
    this.fence = fence;
    this.view = view;
    this.waiting = waiting;
  }

  /**
   * The App as it stands now; waits as long as it is paused.
   *
   * @throws io.temporal.failure.ApplicationFailure of kind SUPERSEDED as the fence does
   */
  public App pass(ChangeRef change) {
    var app = fence.check(change);
    while (app.isPaused()) {
      var paused = app.getMetadata().getGeneration();
      waiting.until(AppKey.of(change), () -> holds(change, paused));
      app = fence.check(change);
    }
    return app;
  }

  private Optional<String> holds(ChangeRef change, long since) {
    return view.app(AppKey.of(change))
        .filter(seen -> seen.getMetadata().getGeneration() < since || seen.isPaused())
        .map(seen -> "App %s is paused: set spec.paused to false".formatted(change.app()));
  }
}
