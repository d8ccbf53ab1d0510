package io.middleware.engine.activities.rollout;

import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.process.pods.ObjectEvents;
import java.util.Optional;

/** Reads what the controller of a StatefulSet said last about a pod. */
final class CreationEvents implements CreationRefusals {
  private final ObjectEvents events;

  /**
   * @param engine client with the engine's own rights
   */
  CreationEvents(KubernetesClient engine) {
    this.events = new ObjectEvents(engine);
  }

  @Override
  public Optional<String> of(StatefulSet set, String pod) {
    return events
        .refusedCreation(set, Optional.of(pod))
        .map(why -> "pod %s: %s".formatted(pod, why));
  }
}
