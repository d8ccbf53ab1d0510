package io.middleware.engine.agent.host;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.agent.redis.Peer;
import io.middleware.engine.agent.redis.Peers;
import java.util.List;
import java.util.Optional;

/** The pods of a hosted pod's group, as they were last seen. */
record HostedPeers(Pod pod, KubernetesClient client, SeenPods seen) implements Peers {
  static final int PORT = 6379;

  /** Key of the ConfigMap among the pod's volumes that says how many pods the group is to have. */
  private static final String REPLICAS = "replicas";

  @Override
  public List<Peer> present() {
    return seen.all().stream()
        .filter(one -> one.getStatus().getPodIP() != null)
        .map(one -> new Peer(one.getMetadata().getName(), one.getStatus().getPodIP(), PORT))
        .toList();
  }

  @Override
  public int expected() {
    return pod.getSpec().getVolumes().stream()
        .filter(volume -> volume.getConfigMap() != null)
        .map(volume -> data(volume.getConfigMap().getName()))
        .flatMap(Optional::stream)
        .map(Integer::parseInt)
        .findFirst()
        .orElse(0); // the App is being deleted, and its ConfigMap went first
  }

  private Optional<String> data(String name) {
    var map =
        client.configMaps().inNamespace(pod.getMetadata().getNamespace()).withName(name).get();
    return Optional.ofNullable(map).map(found -> found.getData().get(REPLICAS));
  }
}
