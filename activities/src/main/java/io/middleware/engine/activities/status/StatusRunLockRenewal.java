package io.middleware.engine.activities.status;

import io.middleware.engine.activities.kubernetes.RunLockRenewal;
import io.middleware.engine.activities.status.AppStatusWriter.AppId;
import io.middleware.engine.workflows.port.ChangeRef;
import java.util.Optional;

/** The claim stands in the App's status: who holds it writes there. */
public final class StatusRunLockRenewal implements RunLockRenewal {
  private final AppStatusWriter writer;
  private final RunLookup runs;

  public StatusRunLockRenewal(AppStatusWriter writer, RunLookup runs) {
    this.writer = writer;
    this.runs = runs;
  }

  /** Asked again whenever another has written in between, as that may have been the next run. */
  @Override
  public boolean renew(ChangeRef change) {
    return writer
        .write(
            new AppId(change.namespace(), change.app(), change.uid()),
            app ->
                runs.isAtWork(change)
                    ? Optional.of(AppStatusFactory.locked(app, change))
                    : Optional.empty())
        .isPresent();
  }
}
