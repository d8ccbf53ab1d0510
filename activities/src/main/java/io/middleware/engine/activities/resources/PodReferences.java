package io.middleware.engine.activities.resources;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.middleware.engine.api.InventoryItem;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The objects that the specs of pods name. Without them, a container of these pods cannot start
 * again.
 *
 * @param names kind and name of each, as {@code ConfigMap/cache-config}
 */
record PodReferences(Set<String> names) {
  private static final ObjectMapper JSON = new ObjectMapper();

  PodReferences {
    names = Set.copyOf(names);
  }

  /** Those of pods that run, or are still to. */
  static PodReferences of(List<Pod> pods) {
    var names = new HashSet<String>();
    pods.stream()
        .filter(pod -> !pod.isMarkedForDeletion() && !hasEnded(pod))
        .forEach(pod -> collect("spec", JSON.valueToTree(pod.getSpec()), names));
    return new PodReferences(names);
  }

  /**
   * Secrets and ConfigMaps that a container reads only when it starts: in its environment, and as
   * single files of volumes.
   */
  static PodReferences atStart(Pod pod, Container container) {
    var names = new HashSet<String>();
    collect("env", JSON.valueToTree(container.getEnv()), names);
    collect("envFrom", JSON.valueToTree(container.getEnvFrom()), names);
    var single =
        container.getVolumeMounts().stream()
            .filter(mount -> mount.getSubPath() != null || mount.getSubPathExpr() != null)
            .map(VolumeMount::getName)
            .toList();
    pod.getSpec().getVolumes().stream()
        .filter(volume -> single.contains(volume.getName()))
        .forEach(volume -> collect("volume", JSON.valueToTree(volume), names));
    names.removeIf(name -> !name.startsWith("Secret/") && !name.startsWith("ConfigMap/"));
    return new PodReferences(names);
  }

  boolean have(InventoryItem item) {
    return names.contains(item.kind() + "/" + item.name());
  }

  private static boolean hasEnded(Pod pod) {
    return pod.getStatus() != null
        && List.of("Succeeded", "Failed").contains(String.valueOf(pod.getStatus().getPhase()));
  }

  private static void collect(String field, JsonNode node, Set<String> names) {
    switch (field) {
      case "configMap", "configMapRef", "configMapKeyRef" -> add("ConfigMap", node, "name", names);
      case "secret" -> {
        add("Secret", node, "name", names); // in a projected volume
        add("Secret", node, "secretName", names);
      }
      case "secretRef", "secretKeyRef", "nodePublishSecretRef", "imagePullSecrets" ->
          add("Secret", node, "name", names);
      case "persistentVolumeClaim" -> add("PersistentVolumeClaim", node, "claimName", names);
      case "spec" -> {
        add("ServiceAccount", node, "serviceAccountName", names);
        add("Service", node, "subdomain", names);
      }
      case "volumeAttributes" -> add("SecretProviderClass", node, "secretProviderClass", names);
      default -> {}
    }
    node.properties().forEach(child -> collect(child.getKey(), child.getValue(), names));
    if (node.isArray()) {
      node.forEach(element -> collect(field, element, names));
    }
  }

  private static void add(String kind, JsonNode node, String field, Set<String> names) {
    if (node.hasNonNull(field)) {
      names.add(kind + "/" + node.get(field).asText());
    }
  }
}
