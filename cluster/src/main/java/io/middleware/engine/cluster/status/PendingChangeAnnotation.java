package io.middleware.engine.cluster.status;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Labels;
import io.middleware.engine.cluster.Faults;

/** The annotation on an App whose edit is waiting, for tools that do not read its status. */
final class PendingChangeAnnotation {
  private final KubernetesClient client;

  PendingChangeAnnotation(KubernetesClient client) {
    this.client = client;
  }

  /**
   * Sets or removes the annotation; writes nothing when that is already so.
   *
   * @param app as it was read last
   */
  void set(App app, boolean pending) {
    var annotations = app.getMetadata().getAnnotations();
    if (pending == (annotations != null && annotations.containsKey(Labels.PENDING_CHANGE))) {
      return;
    }
    var metadata = app.getMetadata();
    var patch =
        """
        {"metadata": {"uid": "%s", "annotations": {"%s": %s}}}"""
            .formatted(metadata.getUid(), Labels.PENDING_CHANGE, pending ? "\"true\"" : "null");
    Faults.attempt(
        "annotate App %s/%s".formatted(metadata.getNamespace(), metadata.getName()),
        () ->
            client
                .resources(App.class)
                .inNamespace(metadata.getNamespace())
                .withName(metadata.getName())
                .patch(PatchContext.of(PatchType.JSON_MERGE), patch));
  }
}
