package io.middleware.engine.activities.resources;

import io.fabric8.kubernetes.api.model.apps.ControllerRevision;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.activities.kubernetes.Faults;
import io.middleware.engine.api.App;
import io.middleware.engine.api.AppSpec;
import io.middleware.engine.api.task.FaultKind;

/** The exact spec of each generation of an App, whatever has been edited since. */
final class Snapshots {
  private final KubernetesClient client;

  Snapshots(KubernetesClient client) {
    this.client = client;
  }

  /**
   * @throws io.temporal.failure.ApplicationFailure of kind INVALID when nobody has kept it
   */
  AppSpec spec(App app, long generation) {
    if (app.getMetadata().getGeneration() == generation) {
      return app.getSpec();
    }
    var name = app.getMetadata().getName() + "-" + generation;
    var revision =
        Faults.attempt(
            "read ControllerRevision " + name,
            () ->
                client
                    .resources(ControllerRevision.class)
                    .inNamespace(app.getMetadata().getNamespace())
                    .withName(name)
                    .get());
    if (revision == null) {
      throw Faults.of(
          FaultKind.INVALID, "ControllerRevision " + name + " with the spec to carry out is gone");
    }
    return client.getKubernetesSerialization().convertValue(revision.getData(), AppSpec.class);
  }
}
