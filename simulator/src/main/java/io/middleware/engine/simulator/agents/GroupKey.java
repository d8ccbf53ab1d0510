package io.middleware.engine.simulator.agents;

import io.fabric8.kubernetes.api.model.Pod;

/** Identifies a replication group by the labels of its pods. */
record GroupKey(String namespace, String app, String component, String group) {
  static final String APP_LABEL = "middleware.io/app";
  private static final String COMPONENT_LABEL = "middleware.io/component";
  private static final String GROUP_LABEL = "middleware.io/group";

  static GroupKey of(Pod pod) {
    var labels = pod.getMetadata().getLabels();
    return new GroupKey(
        pod.getMetadata().getNamespace(),
        labels.getOrDefault(APP_LABEL, ""),
        labels.getOrDefault(COMPONENT_LABEL, ""),
        labels.getOrDefault(GROUP_LABEL, ""));
  }

  @Override
  public String toString() {
    return String.join("/", namespace, app, component, group);
  }
}
