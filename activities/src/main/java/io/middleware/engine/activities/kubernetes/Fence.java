package io.middleware.engine.activities.kubernetes;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.middleware.engine.api.App;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.workflows.port.ChangeRef;

/**
 * Lets only the run write that has claimed the App. One workflow id per App keeps changes apart,
 * but a reset of an open run leaves its children at work; what they still try to write stops here.
 */
public final class Fence {
  private final KubernetesClient client;

  /**
   * @param client with the engine's own rights
   */
  public Fence(KubernetesClient client) {
    this.client = client;
  }

  /**
   * The App as it stands now, claimed by the calling run.
   *
   * @throws io.temporal.failure.ApplicationFailure of kind SUPERSEDED when the App is gone, is
   *     another one of the same name, or is claimed by another run
   */
  public App check(ChangeRef change) {
    var name = change.namespace() + "/" + change.app();
    App app;
    try {
      app =
          client.resources(App.class).inNamespace(change.namespace()).withName(change.app()).get();
    } catch (KubernetesClientException e) {
      throw Faults.of("read App " + name, e);
    }
    if (app == null || !change.uid().equals(app.getMetadata().getUid())) {
      throw Faults.of(FaultKind.SUPERSEDED, "App " + name + " of uid " + change.uid() + " is gone");
    }
    var claimed = app.getStatus() == null ? null : app.getStatus().change();
    if (claimed == null || !change.runId().equals(claimed.runId())) {
      throw Faults.of(
          FaultKind.SUPERSEDED,
          "App %s is claimed by run %s, not by %s: this step writes nothing"
              .formatted(name, claimed == null ? "(none)" : claimed.runId(), change.runId()));
    }
    return app;
  }
}
