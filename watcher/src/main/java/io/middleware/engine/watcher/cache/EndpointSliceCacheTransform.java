package io.middleware.engine.watcher.cache;

import static io.middleware.engine.watcher.cache.ObjectMetaCacheTransform.shared;

import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import java.util.HashMap;
import java.util.List;

/** Reduces an EndpointSlice to what decides whether it must be written again. */
public final class EndpointSliceCacheTransform {
  private EndpointSliceCacheTransform() {}

  public static void reduce(EndpointSlice slice) {
    var owners = slice.getMetadata().getOwnerReferences();
    var labels = new HashMap<>(slice.getMetadata().getLabels());
    ObjectMetaCacheTransform.reduce(slice);
    slice.getMetadata().setOwnerReferences(owners);
    slice.getMetadata().setLabels(labels);
    slice.getMetadata().setFinalizers(List.of());
    slice.getMetadata().setCreationTimestamp(null);
    slice.setAddressType(shared(slice.getAddressType()));
  }
}
