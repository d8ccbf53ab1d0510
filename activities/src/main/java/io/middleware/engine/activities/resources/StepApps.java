package io.middleware.engine.activities.resources;

import io.middleware.engine.activities.objects.OntoObserved;
import io.middleware.engine.api.App;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.AppKey;
import io.middleware.engine.cluster.ClusterView;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.SpecHistoryReader;
import io.middleware.engine.cluster.runlock.RunLockFence;
import io.middleware.engine.workflows.port.ChangeRef;
import io.temporal.failure.ApplicationFailure;
import java.util.function.Function;

/**
 * The App of a step that writes: first as it was last observed, for all that the step must read;
 * then, after a check of the run lock, as it is. In this order {@link OntoObserved} can refuse the
 * writes of a step that has stalled.
 */
public final class StepApps {
  private final RunLockFence fence;
  private final SpecHistoryReader specHistory;
  private final ClusterView view;

  /**
   * @param view must already be started
   */
  public StepApps(RunLockFence fence, SpecHistoryReader specHistory, ClusterView view) {
    this.fence = fence;
    this.specHistory = specHistory;
    this.view = view;
  }

  /**
   * Reads what the step needs. If that fails, another run may hold the run lock, or the App may be
   * paused: these failures come first.
   *
   * @param reader is given the App, with the spec that the change carries out
   */
  <T> T read(ChangeRef change, Function<App, T> reader) {
    try {
      return reader.apply(observed(change));
    } catch (ApplicationFailure e) {
      unpaused(fence.check(change));
      throw e;
    }
  }

  private App observed(ChangeRef change) {
    return specHistory.of(
        change,
        view.app(AppKey.of(change))
            .filter(app -> change.uid().equals(app.getMetadata().getUid()))
            .filter(app -> app.getMetadata().getGeneration() >= change.generation())
            .orElseGet(() -> fence.check(change)));
  }

  /** What steps read beside the App. */
  ClusterView view() {
    return view;
  }

  /** The live App, after a check of the run lock. */
  App check(ChangeRef change) {
    return fence.check(change);
  }

  /** The same with the spec that the change carries out. */
  App withSpec(ChangeRef change, App live) {
    return specHistory.of(change, live);
  }

  /**
   * The App.
   *
   * @throws ApplicationFailure of kind PAUSED
   */
  static App unpaused(App app) {
    if (app.isPaused()) {
      throw Faults.of(
          FaultKind.PAUSED,
          "App %s is paused: set spec.paused to false".formatted(app.getMetadata().getName()));
    }
    return app;
  }
}
