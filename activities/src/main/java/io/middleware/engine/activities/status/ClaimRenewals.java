package io.middleware.engine.activities.status;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.activities.kubernetes.Renewals;
import io.middleware.engine.activities.status.AppStatusWriter.AppId;
import io.middleware.engine.workflows.port.ChangeRef;
import java.util.Optional;

/** The claim stands in the App's status: who holds it writes there. */
public final class ClaimRenewals implements Renewals {
  private final AppStatusWriter writer;
  private final Runs runs;

  /**
   * @param client with the engine's own rights
   */
  public ClaimRenewals(KubernetesClient client) {
    this(new AppStatusWriter(client), new TemporalRuns());
  }

  ClaimRenewals(AppStatusWriter writer, Runs runs) {
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
                    ? Optional.of(AppStatusFactory.claimed(app, change))
                    : Optional.empty())
        .isPresent();
  }
}
