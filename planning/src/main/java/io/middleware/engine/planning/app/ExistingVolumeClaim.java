package io.middleware.engine.planning.app;

import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimStatus;
import io.fabric8.kubernetes.api.model.Quantity;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.Storage;
import java.util.Optional;

/**
 * The PersistentVolumeClaim of a group, in use or left over from a removed group.
 *
 * @param storage that it asks for
 * @param capacity of its volume; empty while it has none
 */
public record ExistingVolumeClaim(
    String name, String component, String group, Storage storage, Optional<Quantity> capacity) {

  /** Without a volume it holds no data, and may be made anew. */
  public boolean hasVolume() {
    return capacity.isPresent();
  }

  public static Optional<ExistingVolumeClaim> of(PersistentVolumeClaim volumeClaim) {
    var labels = volumeClaim.getMetadata().getLabels();
    var resources = volumeClaim.getSpec().getResources();
    var size =
        resources == null || resources.getRequests() == null
            ? null
            : resources.getRequests().get("storage");
    return size == null || labels == null
        ? Optional.empty()
        : Optional.of(
            new ExistingVolumeClaim(
                volumeClaim.getMetadata().getName(),
                labels.get(Labels.COMPONENT),
                labels.get(Labels.GROUP),
                new Storage(size.toString(), volumeClaim.getSpec().getStorageClassName()),
                capacity(volumeClaim, size)));
  }

  /** Whether the claim has a volume, which may not say its capacity yet. */
  static boolean hasVolume(PersistentVolumeClaim claim) {
    return claim.getSpec().getVolumeName() != null || capacity(claim).isPresent();
  }

  private static Optional<Quantity> capacity(PersistentVolumeClaim claim, Quantity requested) {
    return hasVolume(claim) ? capacity(claim).or(() -> Optional.of(requested)) : Optional.empty();
  }

  private static Optional<Quantity> capacity(PersistentVolumeClaim claim) {
    return Optional.ofNullable(claim.getStatus())
        .map(PersistentVolumeClaimStatus::getCapacity)
        .map(capacity -> capacity.get("storage"));
  }

  public boolean isOf(String ofComponent, String ofGroup) {
    return ofComponent.equals(component) && ofGroup.equals(group);
  }
}
