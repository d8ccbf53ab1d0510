package io.middleware.engine.cluster;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.middleware.engine.api.Labels;
import java.util.Map;
import java.util.Optional;

/** Reads owner references. */
public final class OwnerReferences {
  private OwnerReferences() {}

  public static boolean owns(HasMetadata owner, HasMetadata object) {
    return object.getMetadata().getOwnerReferences().stream()
        .anyMatch(reference -> owner.getMetadata().getUid().equals(reference.getUid()));
  }

  /** The owner that controls the object; empty when none does. */
  public static Optional<OwnerReference> controller(HasMetadata object) {
    return object.getMetadata().getOwnerReferences().stream()
        .filter(owner -> Boolean.TRUE.equals(owner.getController()))
        .findFirst();
  }

  /**
   * Whether the part has no owner, because the App of this name was deleted without it. The next
   * App of the name takes it over.
   *
   * @param part a Component or a Group
   */
  public static boolean isLeftBehind(String app, HasMetadata part) {
    var labels = part.getMetadata().getLabels();
    return controller(part).isEmpty()
        && app.equals((labels == null ? Map.<String, String>of() : labels).get(Labels.APP));
  }
}
