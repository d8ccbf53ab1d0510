package io.middleware.engine.watcher.health;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.Node;
import io.middleware.engine.api.Role;
import io.middleware.engine.process.ImageTrouble;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The health of one pod.
 *
 * @param role as its agent reports it; null while unknown
 */
public record PodHealth(Pod pod, String role) {
  private static final String REVISION = "controller-revision-hash";
  private static final String TEMPLATE = "pod-template-hash";

  /** Pods of jobs or of other owners may carry the labels of a group without being its nodes. */
  public boolean isNodeOf(Group group) {
    return PodOwnership.isOf(group, pod) && !"Succeeded".equals(pod.getStatus().getPhase());
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

  /**
   * The pod and the reason that it is not ready, as Kubernetes names it; empty when it is ready.
   */
  Optional<String> problem() {
    return isReady() ? Optional.empty() : Optional.of(pod.getMetadata().getName() + " " + reason());
  }

  /** The pod, if it uses its node although its group is stopped. */
  Optional<String> remaining() {
    return "Failed".equals(pod.getStatus().getPhase())
        ? Optional.empty()
        : Optional.of(
            pod.getMetadata().getName()
                + (pod.isMarkedForDeletion() ? " is still being deleted" : " still exists"));
  }

  private String reason() {
    if (pod.isMarkedForDeletion()) {
      return "Terminating" + place();
    }
    return containers()
        .filter(container -> container.getState() != null)
        .flatMap(PodHealth::reason)
        .findFirst()
        .or(() -> Optional.ofNullable(pod.getStatus().getReason()))
        .or(this::unscheduled)
        .orElseGet(
            () -> "Pending".equals(pod.getStatus().getPhase()) ? "Pending" : "NotReady" + place());
  }

  private Stream<ContainerStatus> containers() {
    return Stream.concat(
        pod.getStatus().getInitContainerStatuses().stream(),
        pod.getStatus().getContainerStatuses().stream());
  }

  private static Stream<String> reason(ContainerStatus container) {
    var state = container.getState();
    if (state.getWaiting() != null) {
      return Stream.ofNullable(state.getWaiting().getReason())
          .map(reason -> reason + image(container, reason));
    }
    var ended = state.getTerminated();
    return ended == null || "Completed".equals(ended.getReason())
        ? Stream.empty()
        : Stream.ofNullable(ended.getReason());
  }

  private static String image(ContainerStatus container, String reason) {
    return ImageTrouble.of(reason, container.getName(), container.getImage())
        .map(" (%s)"::formatted)
        .orElse("");
  }

  private Optional<String> unscheduled() {
    return condition("PodScheduled")
        .filter(condition -> condition.getStatus().equals("False"))
        .map(
            condition ->
                condition.getMessage() == null || condition.getMessage().isEmpty()
                    ? condition.getReason()
                    : "%s: %s".formatted(condition.getReason(), condition.getMessage()));
  }

  /** Where the pod is, because its node may be why. */
  private String place() {
    var spec = pod.getSpec();
    return spec == null || spec.getNodeName() == null
        ? ""
        : " (node %s)".formatted(spec.getNodeName());
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
