package io.middleware.engine.activities.objects;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.Collection;
import java.util.Optional;

/**
 * What a step has read of an object that it is about to write.
 *
 * @param isReadable whether the App's account may read it; if not, the write decides
 * @param object empty when there is none
 * @param fence checks the run lock again, as {@link OntoObserved} needs it
 * @param takesOver whether the write takes over the fields that others have written
 */
public record ObservedObject(
    boolean isReadable,
    Optional<GenericKubernetesResource> object,
    Runnable fence,
    boolean takesOver) {

  static ObservedObject of(Optional<GenericKubernetesResource> found, Runnable fence) {
    return new ObservedObject(true, found, fence, false);
  }

  static ObservedObject unreadable(Runnable fence) {
    return new ObservedObject(false, Optional.empty(), fence, false);
  }

  /** The same in another state. */
  public ObservedObject as(Optional<GenericKubernetesResource> now) {
    return new ObservedObject(isReadable, now, fence, takesOver);
  }

  /** Whether these keys of a Secret are as the engine has written them last. */
  public boolean hasOwn(Collection<String> keys) {
    return object
        .filter(it -> keys.stream().allMatch(key -> SecretKeys.isOwn(it, key)))
        .isPresent();
  }

  /** The same, whose write takes over the fields that others have written. */
  public ObservedObject takenOver() {
    return new ObservedObject(isReadable, object, fence, true);
  }
}
