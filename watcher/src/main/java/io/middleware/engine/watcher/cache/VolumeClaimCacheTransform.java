package io.middleware.engine.watcher.cache;

import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import java.util.List;

/** Reduces a volume claim to its App, and whether it is being deleted. */
public final class VolumeClaimCacheTransform {
  private VolumeClaimCacheTransform() {}

  public static void reduce(PersistentVolumeClaim claim) {
    ObjectMetaCacheTransform.reduce(claim);
    claim.getMetadata().setCreationTimestamp(null);
    claim.getMetadata().setFinalizers(List.of());
    claim.setSpec(null);
    claim.setStatus(null);
  }

  /** Whether an update changes anything that the watcher reads. */
  public static boolean differs(PersistentVolumeClaim now, PersistentVolumeClaim before) {
    return now.isMarkedForDeletion() != before.isMarkedForDeletion()
        || !now.getMetadata().getUid().equals(before.getMetadata().getUid());
  }
}
