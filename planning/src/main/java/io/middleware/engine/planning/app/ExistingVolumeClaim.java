package io.middleware.engine.planning.app;

import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.Storage;
import java.util.Optional;

/** The PersistentVolumeClaim of a group, in use or left over from a removed group. */
public record ExistingVolumeClaim(String name, String component, String group, Storage storage) {

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
                new Storage(size.toString(), volumeClaim.getSpec().getStorageClassName())));
  }

  public boolean isOf(String ofComponent, String ofGroup) {
    return ofComponent.equals(component) && ofGroup.equals(group);
  }
}
