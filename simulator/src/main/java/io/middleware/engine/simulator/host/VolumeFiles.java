package io.middleware.engine.simulator.host;

import io.fabric8.kubernetes.api.model.ConfigMapProjection;
import io.fabric8.kubernetes.api.model.KeyToPath;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.SecretProjection;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeProjection;
import io.fabric8.kubernetes.api.model.VolumeProjectionBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The current files of the volumes that are made of ConfigMaps and Secrets. */
record VolumeFiles(KubernetesClient client, String namespace) {

  /** An object that is missing has no files if that is allowed. */
  private record Source(List<KeyToPath> items, boolean optional) {
    static Source of(List<KeyToPath> items, Boolean optional) {
      return new Source(items == null ? List.of() : items, Boolean.TRUE.equals(optional));
    }

    Map<String, byte[]> files(Map<String, byte[]> all) {
      if (items.isEmpty()) {
        return all;
      }
      Map<String, byte[]> files = new HashMap<>();
      for (var item : items) {
        if (all.containsKey(item.getKey())) {
          files.put(item.getPath(), all.get(item.getKey()));
        } else if (!optional) {
          throw new IllegalStateException("there is no key " + item.getKey());
        }
      }
      return files;
    }
  }

  /** Whether the pod mounts Secrets, which may change while it runs. */
  static boolean areOfSecrets(Pod pod) {
    return pod.getSpec().getVolumes().stream()
        .flatMap(VolumeFiles::sources)
        .anyMatch(source -> source.getSecret() != null);
  }

  /** Makes the folder have the files of the volume, and no others. */
  void writeTo(Path folder, Volume volume) throws IOException {
    Map<String, byte[]> files = new HashMap<>();
    for (var source : sources(volume).toList()) {
      files.putAll(files(source));
    }
    for (var file : files.entrySet()) {
      var path = folder.resolve(file.getKey());
      if (!Files.exists(path) || !Arrays.equals(Files.readAllBytes(path), file.getValue())) {
        replace(path, file.getValue(), folder.getParent());
      }
    }
    try (var present = Files.walk(folder)) {
      // a mark such as .complete goes first, as a kubelet takes all files away at once
      for (var path : present.filter(Files::isRegularFile).sorted().toList()) {
        if (!files.containsKey(folder.relativize(path).toString())) {
          Files.delete(path);
        }
      }
    }
  }

  /**
   * A reader sees the old content or the new one.
   *
   * @param beside a folder for the file that is not complete yet
   */
  static void replace(Path file, byte[] content, Path beside) throws IOException {
    Files.createDirectories(file.getParent());
    var written = Files.createTempFile(beside, ".", ".new");
    Files.write(written, content);
    Files.setPosixFilePermissions(written, PosixFilePermissions.fromString("rw-r--r--"));
    Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
  }

  static boolean areIn(Volume volume) {
    return sources(volume).findAny().isPresent();
  }

  private static Stream<VolumeProjection> sources(Volume volume) {
    var projected = volume.getProjected();
    var map = volume.getConfigMap();
    var secret = volume.getSecret();
    if (map != null) {
      return Stream.of(
          new VolumeProjectionBuilder()
              .withConfigMap(
                  new ConfigMapProjection(map.getItems(), map.getName(), map.getOptional()))
              .build());
    } else if (secret != null) {
      return Stream.of(
          new VolumeProjectionBuilder()
              .withSecret(
                  new SecretProjection(
                      secret.getItems(), secret.getSecretName(), secret.getOptional()))
              .build());
    }
    return projected == null ? Stream.empty() : projected.getSources().stream();
  }

  private Map<String, byte[]> files(VolumeProjection projection) {
    var map = projection.getConfigMap();
    var secret = projection.getSecret();
    if (map != null) {
      var source = Source.of(map.getItems(), map.getOptional());
      return source.files(configMap(map.getName(), source.optional()));
    } else if (secret != null) {
      var source = Source.of(secret.getItems(), secret.getOptional());
      return source.files(secret(secret.getName(), source.optional()));
    }
    return Map.of();
  }

  private void check(boolean found, String kind, String name) {
    if (!found) {
      throw new IllegalStateException("there is no %s %s/%s".formatted(kind, namespace, name));
    }
  }

  /** The values of a ConfigMap by key. */
  Map<String, byte[]> configMap(String name, boolean optional) {
    var map = client.configMaps().inNamespace(namespace).withName(name).get();
    check(map != null || optional, "ConfigMap", name);
    Map<String, byte[]> files = new HashMap<>();
    if (map != null && map.getData() != null) {
      map.getData().forEach((key, text) -> files.put(key, text.getBytes(StandardCharsets.UTF_8)));
    }
    return files;
  }

  /** The values of a Secret by key. */
  Map<String, byte[]> secret(String name, boolean optional) {
    var secret = client.secrets().inNamespace(namespace).withName(name).get();
    check(secret != null || optional, "Secret", name);
    Map<String, byte[]> files = new HashMap<>();
    if (secret != null && secret.getData() != null) {
      secret.getData().forEach((key, text) -> files.put(key, Base64.getDecoder().decode(text)));
    }
    return files;
  }
}
