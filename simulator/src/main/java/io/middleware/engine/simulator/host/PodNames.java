package io.middleware.engine.simulator.host;

import static java.util.stream.Collectors.joining;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The names that a pod knows, as the DNS of a cluster has them: pods of its namespace below their
 * Service, and Services. A Service has the addresses of its pods. A pod that is not ready has no
 * names, unless its Service publishes those too.
 */
record PodNames(KubernetesClient client, Pod self) {
  private static final Set<String> ENDED = Set.of("Succeeded", "Failed");

  /** Replaces the file when something in it is different now. */
  void writeTo(Path file, List<Pod> pods) throws IOException {
    var text = text(pods, pods.isEmpty() ? List.of() : services());
    if (!Files.exists(file) || !Files.readString(file).equals(text)) {
      VolumeFiles.replace(
          file, text.getBytes(StandardCharsets.UTF_8), Files.createDirectories(file.getParent()));
    }
  }

  private List<Service> services() {
    return client.services().inNamespace(namespace()).list().getItems();
  }

  String text(List<Pod> pods, List<Service> services) {
    var own = line(address(self), "localhost " + self.getMetadata().getName());
    var others =
        pods.stream()
            .filter(pod -> address(pod) != null && !ENDED.contains(pod.getStatus().getPhase()))
            .flatMap(pod -> names(pod, services));
    return Stream.concat(Stream.of(own), others).distinct().collect(joining());
  }

  private Stream<String> names(Pod pod, List<Service> services) {
    return services.stream()
        .filter(service -> isPublished(pod, service))
        .flatMap(service -> names(pod, service));
  }

  private Stream<String> names(Pod pod, Service service) {
    var name = service.getMetadata().getName();
    var host = Optional.ofNullable(pod.getSpec().getHostname()).orElse(pod.getMetadata().getName());
    var below =
        name.equals(pod.getSpec().getSubdomain())
            ? Stream.of(line(address(pod), qualified(host + "." + name)))
            : Stream.<String>empty();
    return Stream.concat(below, Stream.of(line(address(pod), qualified(name))));
  }

  private static boolean isPublished(Pod pod, Service service) {
    Map<String, String> selector = service.getSpec().getSelector();
    var labels = pod.getMetadata().getLabels();
    return selector != null
        && !selector.isEmpty()
        && labels != null
        && labels.entrySet().containsAll(selector.entrySet())
        && (PodApi.isReady(pod)
            || Boolean.TRUE.equals(service.getSpec().getPublishNotReadyAddresses()));
  }

  private String qualified(String name) {
    var inNamespace = name + "." + namespace();
    return "%s %s %s.svc %s.svc.cluster.local"
        .formatted(name, inNamespace, inNamespace, inNamespace);
  }

  private static String line(String address, String names) {
    return address + " " + names + "\n";
  }

  private static String address(Pod pod) {
    return pod.getStatus().getPodIP();
  }

  private String namespace() {
    return self.getMetadata().getNamespace();
  }
}
