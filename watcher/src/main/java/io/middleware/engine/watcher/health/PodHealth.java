package io.middleware.engine.watcher.health;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.Node;
import io.middleware.engine.api.Role;
import io.middleware.engine.process.pods.PodTrouble;
import java.util.Map;
import java.util.Optional;

/**
 * The health of one pod.
 *
 * @param role as its agent reports it; null while unknown
 * @param event what events say of it, if it is not ready
 */
public record PodHealth(Pod pod, String role, Optional<String> event) {
  private static final String REVISION = "controller-revision-hash";
  private static final String TEMPLATE = "pod-template-hash";

  public PodHealth(Pod pod, String role) {
    this(pod, role, Optional.empty());
  }

  /**
   * Pods of jobs or of other owners may carry the labels of a group without being its nodes. Of a
   * pod that has ended, a Deployment makes another at once; a StatefulSet has to delete it first.
   */
  public boolean isNodeOf(Group group) {
    return PodOwnership.isOf(group, pod)
        && !"Succeeded".equals(pod.getStatus().getPhase())
        && !(hasFailed() && labels().containsKey(TEMPLATE));
  }

  boolean hasFailed() {
    return "Failed".equals(pod.getStatus().getPhase());
  }

  String name() {
    return pod.getMetadata().getName();
  }

  /** Whether no object controls it: it has left its StatefulSet, or a new one must adopt it. */
  boolean isOrphan() {
    return pod.getMetadata().getOwnerReferences().isEmpty();
  }

  public boolean isReady() {
    return !pod.isMarkedForDeletion() && isTrue("Ready");
  }

  /** Whether the pod is ready and its role is unknown. */
  boolean isRoleless() {
    return isReady() && role == null;
  }

  boolean isPrimary() {
    return Role.PRIMARY.equals(role);
  }

  Node node() {
    var labels = labels();
    return new Node(
        pod.getMetadata().getName(),
        pod.getStatus().getPodIP(),
        role,
        labels.getOrDefault(REVISION, labels.get(TEMPLATE)),
        isReady());
  }

  /** The pod and why it is not ready; empty when it is. */
  Optional<String> problem() {
    return isReady()
        ? Optional.empty()
        : Optional.of("%s %s".formatted(name(), new PodTrouble(pod, event).text()));
  }

  /** The pod, if it uses its node although its group is stopped. */
  Optional<String> remaining() {
    return hasFailed()
        ? Optional.empty()
        : Optional.of(
            name() + (pod.isMarkedForDeletion() ? " is still being deleted" : " still exists"));
  }

  private boolean isTrue(String type) {
    return condition(type).filter(condition -> condition.getStatus().equals("True")).isPresent();
  }

  private Optional<PodCondition> condition(String type) {
    return pod.getStatus().getConditions().stream()
        .filter(condition -> condition.getType().equals(type))
        .findFirst();
  }

  private Map<String, String> labels() {
    return pod.getMetadata().getLabels() == null ? Map.of() : pod.getMetadata().getLabels();
  }
}
