package io.middleware.engine.activities.kubernetes;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.api.App;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.workflows.port.ChangeRef;
import java.util.Optional;
import java.util.function.Function;

/**
 * Lets only the run write that has claimed the App. One workflow id per App keeps changes apart,
 * but a reset of an open run leaves its children at work; what they still try to write stops here.
 * The run that a reset has made may begin after the plan, so the claim is renewed for it.
 */
public final class RunLockFence {
  private final Function<ChangeRef, Optional<App>> apps;
  private final RunLockRenewal renewals;

  /**
   * @param client with the engine's own rights
   */
  public RunLockFence(KubernetesClient client, RunLockRenewal renewals) {
    this(change -> read(client, change), renewals);
  }

  RunLockFence(Function<ChangeRef, Optional<App>> apps, RunLockRenewal renewals) {
    this.apps = apps;
    this.renewals = renewals;
  }

  /**
   * The App as it stands now, claimed by the calling run.
   *
   * @throws io.temporal.failure.ApplicationFailure of kind SUPERSEDED when the App is gone, is
   *     another one of the same name, or is claimed by another run
   */
  public App check(ChangeRef change) {
    var name = change.namespace() + "/" + change.app();
    var app =
        apps.apply(change)
            .filter(found -> change.uid().equals(found.getMetadata().getUid()))
            .orElseThrow(
                () ->
                    Faults.of(
                        FaultKind.SUPERSEDED,
                        "App " + name + " of uid " + change.uid() + " is gone"));
    var claimed = app.getStatus() == null ? null : app.getStatus().change();
    var isOurs = claimed != null && change.runId().equals(claimed.runId());
    if (!isOurs && !renewals.renew(change)) {
      throw Faults.of(
          FaultKind.SUPERSEDED,
          "App %s is claimed by run %s, not by %s: this step writes nothing"
              .formatted(name, claimed == null ? "(none)" : claimed.runId(), change.runId()));
    }
    return app;
  }

  private static Optional<App> read(KubernetesClient client, ChangeRef change) {
    return Optional.ofNullable(
        Faults.attempt(
            "read App " + change.namespace() + "/" + change.app(),
            () ->
                client
                    .resources(App.class)
                    .inNamespace(change.namespace())
                    .withName(change.app())
                    .get()));
  }
}
