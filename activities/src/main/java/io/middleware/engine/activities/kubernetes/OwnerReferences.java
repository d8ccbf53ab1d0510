package io.middleware.engine.activities.kubernetes;

import io.fabric8.kubernetes.api.model.HasMetadata;

/** Reads owner references. */
public final class OwnerReferences {
  private OwnerReferences() {}

  public static boolean owns(HasMetadata owner, HasMetadata object) {
    return object.getMetadata().getOwnerReferences().stream()
        .anyMatch(reference -> owner.getMetadata().getUid().equals(reference.getUid()));
  }
}
