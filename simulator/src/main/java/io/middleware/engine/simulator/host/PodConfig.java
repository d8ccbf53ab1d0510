package io.middleware.engine.simulator.host;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.HashMap;
import java.util.Map;

/** The current ConfigMaps among a pod's volumes; a kubelet updates their files too. */
record PodConfig(Pod pod, KubernetesClient client) {

  /** All keys of all ConfigMaps, without those of a missing one. */
  Map<String, String> data() {
    Map<String, String> data = new HashMap<>();
    for (var volume : pod.getSpec().getVolumes()) {
      if (volume.getConfigMap() != null) {
        data.putAll(data(volume.getConfigMap().getName()));
      }
    }
    return data;
  }

  private Map<String, String> data(String name) {
    var map =
        client.configMaps().inNamespace(pod.getMetadata().getNamespace()).withName(name).get();
    return map == null ? Map.of() : map.getData();
  }
}
