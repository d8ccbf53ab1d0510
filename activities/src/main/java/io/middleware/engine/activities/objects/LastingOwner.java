package io.middleware.engine.activities.objects;

import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.process.KubernetesClients;

/**
 * The namespace kube-system as a second owner. The garbage collector deletes an object only when
 * all its owners go, so it never deletes one with this owner: it takes the others away from it.
 */
final class LastingOwner {
  private final KubernetesClient client;
  private volatile OwnerReference reference;

  /**
   * @param client with the engine's own rights
   */
  LastingOwner(KubernetesClient client) {
    this.client = client;
  }

  OwnerReference reference() {
    if (reference == null) {
      reference =
          new OwnerReferenceBuilder()
              .withApiVersion("v1")
              .withKind("Namespace")
              .withName("kube-system")
              .withUid(
                  Faults.attempt(
                      "read namespace kube-system", () -> KubernetesClients.clusterUid(client)))
              .withBlockOwnerDeletion(false)
              .build();
    }
    return reference;
  }
}
