package io.middleware.engine.activities.plan;

import io.fabric8.kubernetes.api.model.HasMetadata;

/** Whose an object is. */
final class Owners {
  private Owners() {}

  static boolean owns(HasMetadata owner, HasMetadata object) {
    return object.getMetadata().getOwnerReferences().stream()
        .anyMatch(reference -> owner.getMetadata().getUid().equals(reference.getUid()));
  }
}
