package io.middleware.engine.activities.plan;

import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.Storage;
import java.util.Optional;

/** A volume that a group left behind, or uses. */
record ExistingClaim(String name, String component, String group, Storage storage) {

  static Optional<ExistingClaim> of(PersistentVolumeClaim claim) {
    var labels = claim.getMetadata().getLabels();
    var resources = claim.getSpec().getResources();
    var size =
        resources == null || resources.getRequests() == null
            ? null
            : resources.getRequests().get("storage");
    return size == null || labels == null
        ? Optional.empty()
        : Optional.of(
            new ExistingClaim(
                claim.getMetadata().getName(),
                labels.get(Labels.COMPONENT),
                labels.get(Labels.GROUP),
                new Storage(size.toString(), claim.getSpec().getStorageClassName())));
  }

  boolean isOf(String ofComponent, String ofGroup) {
    return ofComponent.equals(component) && ofGroup.equals(group);
  }
}
