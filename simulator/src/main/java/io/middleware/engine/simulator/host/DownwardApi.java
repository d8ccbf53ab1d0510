package io.middleware.engine.simulator.host;

import io.fabric8.kubernetes.api.model.Pod;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** The fields of a pod that its containers may ask for. */
final class DownwardApi {
  private static final Pattern ENTRY =
      Pattern.compile("metadata\\.(labels|annotations)\\['([^']+)'\\]");

  private DownwardApi() {}

  /** Empty text for a field that the pod lacks. */
  static String value(Pod pod, String path) {
    var entry = ENTRY.matcher(path);
    if (entry.matches()) {
      var meta = pod.getMetadata();
      var entries = entry.group(1).equals("labels") ? meta.getLabels() : meta.getAnnotations();
      return Optional.ofNullable(entries).orElse(Map.of()).getOrDefault(entry.group(2), "");
    }
    return Optional.ofNullable(field(pod, path)).orElse("");
  }

  private static String field(Pod pod, String path) {
    return switch (path) {
      case "metadata.name" -> pod.getMetadata().getName();
      case "metadata.namespace" -> pod.getMetadata().getNamespace();
      case "metadata.uid" -> pod.getMetadata().getUid();
      case "spec.nodeName" -> pod.getSpec().getNodeName();
      case "spec.serviceAccountName" -> pod.getSpec().getServiceAccountName();
      case "status.hostIP" -> pod.getStatus().getHostIP();
      case "status.podIP" -> pod.getStatus().getPodIP();
      default -> null;
    };
  }
}
