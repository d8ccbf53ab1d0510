package io.middleware.engine.simulator.host;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The volumes of a container as folders here: where its paths lead to.
 *
 * @param folders by mount path
 */
record MountedVolumes(Map<String, Path> folders) {

  /** Makes the folders, and writes the files of its ConfigMaps as they are now. */
  static MountedVolumes of(Pod pod, Container container, KubernetesClient client, HostSettings settings)
      throws IOException {
    Map<String, Path> folders = new LinkedHashMap<>();
    for (var mount : container.getVolumeMounts()) {
      for (var volume : pod.getSpec().getVolumes()) {
        if (volume.getName().equals(mount.getName())) {
          folders.put(mount.getMountPath(), folder(pod, volume, client, settings));
        }
      }
    }
    return new MountedVolumes(folders);
  }

  /** A path of the container as a path here; anything else stays as it is. */
  String here(String word) {
    for (var mount : folders.entrySet()) {
      if (word.equals(mount.getKey()) || word.startsWith(mount.getKey() + "/")) {
        return mount.getValue() + word.substring(mount.getKey().length());
      }
    }
    return word;
  }

  private static Path folder(Pod pod, Volume volume, KubernetesClient client, HostSettings settings)
      throws IOException {
    var own = settings.run(pod.getMetadata().getUid()).resolve(volume.getName());
    var namespace = pod.getMetadata().getNamespace();
    if (volume.getPersistentVolumeClaim() != null) {
      var name = volume.getPersistentVolumeClaim().getClaimName();
      var claim = client.persistentVolumeClaims().inNamespace(namespace).withName(name).require();
      return Files.createDirectories(settings.volume(claim.getMetadata().getUid()));
    }
    Files.createDirectories(own);
    if (volume.getConfigMap() != null) {
      var map =
          client.configMaps().inNamespace(namespace).withName(volume.getConfigMap().getName());
      for (var file : map.require().getData().entrySet()) {
        Files.writeString(own.resolve(file.getKey()), file.getValue());
      }
    }
    return own;
  }
}
