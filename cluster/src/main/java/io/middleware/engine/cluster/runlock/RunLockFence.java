package io.middleware.engine.cluster.runlock;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.api.App;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.ObservedRunLock;
import io.middleware.engine.workflows.port.ChangeRef;
import java.util.Optional;
import java.util.function.Function;

/**
 * Lets only the run that holds the App's run lock write, while its change is open. One workflow id
 * per App keeps changes apart, but a reset of an open run leaves its children running; their writes
 * are refused here. The run that a reset creates may start after the plan, so the lock is renewed
 * for it; but not for a run of an older change, of one that has ended, or of one that the App, as
 * it came back from a backup, does not know.
 */
public final class RunLockFence implements RunFence {
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
   *     another one of the same name, when another run holds the lock, or when the change has ended
   */
  @Override
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
    var lock = new ObservedRunLock(app);
    if (!lock.isHeldBy(change) && (lock.isPast(change) || !renewal.renew(change))) {
      throw Faults.of(
          FaultKind.SUPERSEDED,
          "App %s: %s; this step writes nothing".formatted(name, lock.refusal(change)));
    }
    return app;
  }

  private static Optional<App> read(KubernetesClient client, ChangeRef change) {
    return Faults.read(
        "App " + change.namespace() + "/" + change.app(),
        client.resources(App.class).inNamespace(change.namespace()).withName(change.app()));
  }
}
