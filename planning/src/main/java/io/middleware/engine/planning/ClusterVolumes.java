package io.middleware.engine.planning;

import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Labels;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.planning.app.ExistingPod;
import io.middleware.engine.planning.app.ExistingVolumeClaim;
import io.middleware.engine.planning.app.FoundClaim;
import java.util.List;
import java.util.Optional;

/**
 * Reads which volumes exist, and which pods use them.
 *
 * @param client with the engine's own rights
 */
record ClusterVolumes(KubernetesClient client) {

  /** Whether this class allows its volumes to be expanded. */
  boolean canExpand(String storageClass) {
    return Faults.read(
            "StorageClass " + storageClass,
            client.resources(StorageClass.class).withName(storageClass))
        .filter(found -> Boolean.TRUE.equals(found.getAllowVolumeExpansion()))
        .isPresent();
  }

  /** The PersistentVolumeClaims that carry the App's label. */
  List<ExistingVolumeClaim> volumeClaims(App app) {
    var volumeClaims =
        Faults.list(
            "PersistentVolumeClaims of App " + app.getMetadata().getName(),
            client
                .resources(PersistentVolumeClaim.class)
                .inNamespace(app.getMetadata().getNamespace())
                .withLabel(Labels.APP, app.getMetadata().getName()));
    return volumeClaims.stream().map(ExistingVolumeClaim::of).flatMap(Optional::stream).toList();
  }

  /** All PersistentVolumeClaims of the App's namespace: a pod asks for one by its name alone. */
  List<FoundClaim> claims(App app) {
    var namespace = app.getMetadata().getNamespace();
    return Faults.list(
            "the PersistentVolumeClaims of namespace " + namespace,
            client.resources(PersistentVolumeClaim.class).inNamespace(namespace))
        .stream()
        .map(FoundClaim::of)
        .toList();
  }

  /** The pods that carry the App's label. */
  List<ExistingPod> pods(App app) {
    return Faults.list(
            "Pods of App " + app.getMetadata().getName(),
            client
                .pods()
                .inNamespace(app.getMetadata().getNamespace())
                .withLabel(Labels.APP, app.getMetadata().getName()))
        .stream()
        .map(ExistingPod::of)
        .toList();
  }
}
