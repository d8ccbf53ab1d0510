package io.middleware.engine.activities.objects;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.Optional;

/**
 * What a step has read of an object that it is about to write.
 *
 * @param isReadable whether the App's account may read it; if not, the write decides
 * @param object empty when there is none
 * @param fence checks the run lock again, as {@link OntoObserved} needs it
 */
public record ObservedObject(
    boolean isReadable, Optional<GenericKubernetesResource> object, Runnable fence) {

  static ObservedObject of(Optional<GenericKubernetesResource> found, Runnable fence) {
    return new ObservedObject(true, found, fence);
  }

  static ObservedObject unreadable(Runnable fence) {
    return new ObservedObject(false, Optional.empty(), fence);
  }

  /** The same in another state. */
  public ObservedObject as(Optional<GenericKubernetesResource> now) {
    return new ObservedObject(isReadable, now, fence);
  }
}
