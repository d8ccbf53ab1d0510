package io.middleware.engine.activities.kubernetes;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.api.App;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.workflows.port.ChangeRef;
import java.util.Optional;
import java.util.function.Function;

/**
 * Lets only the run that holds the App's run lock write. One workflow id per App keeps changes
 * apart, but a reset of an open run leaves its children running; their writes are refused here. The
 * run that a reset creates may start after the plan, so the lock is renewed for it.
 */
public final class RunLockFence {
  private final Function<ChangeRef, Optional<App>> apps;
  private final RunLockRenewal renewal;

  /**
   * @param client with the engine's own rights
   */
  public RunLockFence(KubernetesClient client, RunLockRenewal renewal) {
    this(change -> read(client, change), renewal);
  }

  RunLockFence(Function<ChangeRef, Optional<App>> apps, RunLockRenewal renewal) {
    this.apps = apps;
    this.renewal = renewal;
  }

  /**
   * The live App, after a check that the calling run holds its run lock.
   *
   * @throws io.temporal.failure.ApplicationFailure of kind SUPERSEDED when the App is gone or is
   *     another one of the same name, or when another run holds the lock
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
                        "App " + name + " with uid " + change.uid() + " is gone"));
    var holder = app.getStatus() == null ? null : app.getStatus().change();
    var isOurs = holder != null && change.runId().equals(holder.runId());
    if (!isOurs && !renewal.renew(change)) {
      throw Faults.of(
          FaultKind.SUPERSEDED,
          "App %s: the run lock is held by run %s, not by run %s; this step writes nothing"
              .formatted(name, holder == null ? "(none)" : holder.runId(), change.runId()));
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
