package io.middleware.engine.cluster.runlock;

import io.middleware.engine.cluster.AppKey;
import io.middleware.engine.cluster.ClusterView;
import io.middleware.engine.cluster.ObservedRunLock;
import io.middleware.engine.workflows.port.ChangeRef;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Notices, while a step waits, that another run has acquired the App's run lock. The view may be
 * behind, so each version of the App that shows another holder is checked once against the API
 * server. For an Operation that excludes nothing, which never holds that lock, this is each
 * version.
 */
public final class RunLockWatch {
  private final RunFence fence;
  private final ClusterView view;
  private final ChangeRef change;
  private String checkedVersion = "";

  public RunLockWatch(RunFence fence, ClusterView view, ChangeRef change) {
    this.fence = fence;
    this.view = view;
    this.change = change;
  }

  /**
   * @throws io.temporal.failure.ApplicationFailure of kind SUPERSEDED when the run lock is lost
   */
  public void check() {
    var app = view.app(AppKey.of(change));
    var version = app.map(seen -> seen.getMetadata().getResourceVersion()).orElse("gone");
    if (!version.equals(checkedVersion) && ObservedRunLock.heldIn(view, change).isEmpty()) {
      fence.check(change);
      checkedVersion = version;
    }
  }

  /** A condition to wait for that is checked only after {@link #check}. */
  public Supplier<Optional<String>> guard(Supplier<Optional<String>> missing) {
    return () -> {
      check();
      return missing.get();
    };
  }
}
