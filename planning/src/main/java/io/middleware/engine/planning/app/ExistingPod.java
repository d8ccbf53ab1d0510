package io.middleware.engine.planning.app;

import io.fabric8.kubernetes.api.model.Pod;
import io.middleware.engine.api.Labels;

/** A pod of a group. */
public record ExistingPod(String component, String group, boolean ready) {

  public static ExistingPod of(Pod pod) {
    var labels = pod.getMetadata().getLabels();
    return new ExistingPod(labels.get(Labels.COMPONENT), labels.get(Labels.GROUP), isReady(pod));
  }

  private static boolean isReady(Pod pod) {
    return pod.getStatus() != null
        && pod.getStatus().getConditions().stream()
            .anyMatch(it -> "Ready".equals(it.getType()) && "True".equals(it.getStatus()));
  }

  public boolean isOf(String ofComponent, String ofGroup) {
    return ofComponent.equals(component) && ofGroup.equals(group);
  }
}
