package io.middleware.engine.cluster;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Labels;
import java.util.Optional;

/** Owner references of objects. */
public final class OwnerReferences {
  private OwnerReferences() {}

  /** Of an object that the owner controls, and that does not hold up its deletion. */
  public static OwnerReference controlledBy(HasMetadata owner) {
    return new OwnerReferenceBuilder()
        .withApiVersion(owner.getApiVersion())
        .withKind(owner.getKind())
        .withName(owner.getMetadata().getName())
        .withUid(owner.getMetadata().getUid())
        .withController(true)
        .withBlockOwnerDeletion(false)
        .build();
  }

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
    return controller(part).isEmpty() && app.equals(label(part, Labels.APP));
  }

  /** Whether the object has belonged to this App, and not to another one of its name. */
  public static boolean wasOf(App app, HasMetadata object) {
    return app.getMetadata().getUid().equals(label(object, Labels.APP_UID));
  }

  private static String label(HasMetadata object, String name) {
    var labels = object.getMetadata().getLabels();
    return labels == null ? null : labels.get(name);
  }
}
