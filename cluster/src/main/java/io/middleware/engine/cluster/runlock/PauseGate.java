package io.middleware.engine.cluster.runlock;

import io.middleware.engine.api.App;
import io.middleware.engine.cluster.AppKey;
import io.middleware.engine.cluster.ClusterView;
import io.middleware.engine.cluster.ClusterWaiter;
import io.middleware.engine.cluster.ObservedRunLock;
import io.middleware.engine.cluster.SpecHistoryReader;
import io.middleware.engine.workflows.port.ChangeRef;
import java.util.Optional;

/**
 * Lets a step begin while its run holds the App's run lock and the App is not paused. A step of an
 * Operation that excludes nothing has another lock, and changes nothing: a pause does not hold it.
 */
public final class PauseGate {
  private final RunFence fence;
  private final SpecHistoryReader specHistory;
  private final ClusterView view;
  private final ClusterWaiter waiter;

  public PauseGate(
      RunFence fence, SpecHistoryReader specHistory, ClusterView view, ClusterWaiter waiter) {
    this.fence = fence;
    this.specHistory = specHistory;
    this.view = view;
    this.waiter = waiter;
  }

  /**
   * The App with the spec that the change carries out; empty while it is paused. It is the live one
   * unless the view shows that the run holds the lock. For a step that acts only on a recorded uid:
   * the view is milliseconds behind.
   *
   * @throws io.temporal.failure.ApplicationFailure of kind SUPERSEDED as {@link RunFence#check}
   */
  public Optional<App> unpausedWithSpec(ChangeRef change) {
    return ObservedRunLock.heldIn(view, change)
        .or(() -> Optional.of(check(change)))
        .filter(app -> !app.isPaused())
        .map(app -> specHistory.of(change, app));
  }

  /**
   * Returns when the App is not paused. It may take months: few heartbeats are sent.
   *
   * @throws io.temporal.failure.ApplicationFailure of kind SUPERSEDED as {@link RunFence#check}
   */
  public void awaitResumed(ChangeRef change) {
    pass(change, waiter.resting());
  }

  /**
   * The live App; waits while it is paused.
   *
   * @throws io.temporal.failure.ApplicationFailure of kind SUPERSEDED as {@link RunFence#check}
   */
  public App pass(ChangeRef change) {
    return pass(change, waiter);
  }

  private App pass(ChangeRef change, ClusterWaiter waits) {
    var app = fence.check(change);
    while (app.isPaused() && !change.shared()) {
      var paused = app.getMetadata().getGeneration();
      waits.until(AppKey.of(change), () -> stillPaused(change, paused));
      app = fence.check(change);
    }
    return app;
  }

  /** As {@link #pass}, but the App has the spec that the change carries out. */
  public App passWithSpec(ChangeRef change) {
    return specHistory.of(change, pass(change));
  }

  /**
   * The live App, paused or not.
   *
   * @throws io.temporal.failure.ApplicationFailure of kind SUPERSEDED as {@link RunFence#check}
   */
  public App check(ChangeRef change) {
    return fence.check(change);
  }

  /** As {@link #check}, but the App has the spec that the change carries out. */
  public App checkWithSpec(ChangeRef change) {
    return specHistory.of(change, check(change));
  }

  /** For a step that runs: checks that the run still holds the lock. A pause does not stop it. */
  public RunLockWatch watch(ChangeRef change) {
    return new RunLockWatch(fence, view, change);
  }

  private Optional<String> stillPaused(ChangeRef change, long generation) {
    return view.app(AppKey.of(change))
        .filter(seen -> seen.getMetadata().getGeneration() < generation || seen.isPaused())
        .map(seen -> "App %s is paused: set spec.paused to false".formatted(change.app()));
  }
}
