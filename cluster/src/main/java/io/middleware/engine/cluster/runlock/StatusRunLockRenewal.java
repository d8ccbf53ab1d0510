package io.middleware.engine.cluster.runlock;

import io.middleware.engine.api.App;
import io.middleware.engine.api.AppStatus;
import io.middleware.engine.cluster.ObservedRunLock;
import io.middleware.engine.cluster.runs.RunLookup;
import io.middleware.engine.cluster.status.AppStatusFactory;
import io.middleware.engine.cluster.status.AppStatusWriter;
import io.middleware.engine.cluster.status.AppStatusWriter.AppId;
import io.middleware.engine.workflows.port.ChangeRef;
import java.util.Optional;

/** Renews the run lock by writing it to the App's status. */
public final class StatusRunLockRenewal implements RunLockRenewal {
  private final AppStatusWriter writer;
  private final RunLookup runs;

  public StatusRunLockRenewal(AppStatusWriter writer, RunLookup runs) {
    this.writer = writer;
    this.runs = runs;
  }

  /** After a write conflict the run is looked up again: the next run may have written. */
  @Override
  public boolean renew(ChangeRef change) {
    return writer
        .write(
            new AppId(change.namespace(), change.app(), change.uid()),
            app ->
                new ObservedRunLock(app).isPast(change) || !runs.isRunning(change)
                    ? Optional.empty()
                    : Optional.of(renewed(app, change)))
        .isPresent();
  }

  /** A deletion by force does not depend on a write of the status: the open run needs no lock. */
  private static AppStatus renewed(App app, ChangeRef change) {
    return app.isDeletedByForce() && app.getStatus() != null
        ? AppStatusFactory.partOf(app.getStatus())
        : AppStatusFactory.locked(app, change);
  }
}
