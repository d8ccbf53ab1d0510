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
 * The volumes of a container as folders on this machine.
 *
 * @param folders by mount path
 */
record MountedVolumes(Map<String, Path> folders) {

  /** Creates the folders and writes the current files of the ConfigMaps and Secrets. */
  static MountedVolumes of(
      Pod pod, Container container, KubernetesClient client, HostSettings settings)
      throws IOException {
    Map<String, Path> folders = new LinkedHashMap<>();
    for (var mount : container.getVolumeMounts()) {
      for (var volume : pod.getSpec().getVolumes()) {
        if (volume.getName().equals(mount.getName())) {
          var folder = folder(pod, volume, client, settings);
          var path = mount.getSubPath() == null ? "" : mount.getSubPath();
          var mounted = folder.resolve(path);
          if (!Files.exists(mounted)) {
            Files.createDirectories(mounted);
          }
          folders.put(mount.getMountPath(), mounted);
        }
      }
    }
    return new MountedVolumes(folders);
  }

  /** Translates a path in the container to a path on this machine; returns other text unchanged. */
  String toLocalPath(String argument) {
    for (var mount : folders.entrySet()) {
      if (argument.equals(mount.getKey()) || argument.startsWith(mount.getKey() + "/")) {
        return mount.getValue() + argument.substring(mount.getKey().length());
      }
    }
    return argument;
  }

  private static Path folder(Pod pod, Volume volume, KubernetesClient client, HostSettings settings)
      throws IOException {
    var podFolder = settings.run(pod.getMetadata().getUid()).resolve(volume.getName());
    var namespace = pod.getMetadata().getNamespace();
    if (volume.getPersistentVolumeClaim() != null) {
      var name = volume.getPersistentVolumeClaim().getClaimName();
      var claim = client.persistentVolumeClaims().inNamespace(namespace).withName(name).get();
      if (claim == null) {
        throw new IllegalStateException(
            "there is no PersistentVolumeClaim %s/%s".formatted(namespace, name));
      }
      return Files.createDirectories(settings.volume(claim.getMetadata().getUid()));
    }
    Files.createDirectories(podFolder);
    if (VolumeFiles.areIn(volume)) {
      new VolumeFiles(client, namespace).writeTo(podFolder, volume);
    }
    return podFolder;
  }
}
