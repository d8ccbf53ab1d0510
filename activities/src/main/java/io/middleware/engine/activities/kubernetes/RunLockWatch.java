package io.middleware.engine.activities.kubernetes;

import io.middleware.engine.api.App;
import io.middleware.engine.workflows.port.ChangeRef;

/**
 * Notices, while something waits, that the App has got into other hands. The view may be behind:
 * what it shows is looked up once per version before it counts.
 */
public final class RunLockWatch {
  private final RunLockFence fence;
  private final ClusterView view;
  private final ChangeRef change;
  private String cleared = "";

  public RunLockWatch(RunLockFence fence, ClusterView view, ChangeRef change) {
    this.fence = fence;
    this.view = view;
    this.change = change;
  }

  /**
   * @throws io.temporal.failure.ApplicationFailure of kind SUPERSEDED when the claim is lost
   */
  public void look() {
    var app = view.app(AppKey.of(change));
    var version = app.map(seen -> seen.getMetadata().getResourceVersion()).orElse("gone");
    if (!version.equals(cleared) && !app.filter(this::isOurs).isPresent()) {
      fence.check(change);
      cleared = version;
    }
  }

  private boolean isOurs(App app) {
    return change.uid().equals(app.getMetadata().getUid())
        && app.getStatus() != null
        && app.getStatus().change() != null
        && change.runId().equals(app.getStatus().change().runId());
  }
}
