package io.middleware.engine.watcher.cache;

import static io.middleware.engine.watcher.cache.ObjectMetaCacheTransform.shared;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodConditionBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import io.middleware.engine.api.task.Excerpt;
import io.middleware.engine.process.ImageTrouble;
import java.util.List;
import java.util.Map;

/** Reduces a pod to its owner, its readiness and the reason if it is not ready. */
public final class PodCacheTransform {
  /** Of what the scheduler says. */
  private static final int LONGEST_MESSAGE = 300;

  private PodCacheTransform() {}

  public static void reduce(Pod pod) {
    var controller = controller(pod.getMetadata().getOwnerReferences());
    ObjectMetaCacheTransform.reduce(pod);
    pod.getMetadata().setCreationTimestamp(null);
    pod.getMetadata().setAnnotations(Map.of());
    pod.getMetadata().setFinalizers(List.of());
    pod.getMetadata().setOwnerReferences(controller);
    pod.setStatus(status(pod.getStatus() == null ? new PodStatus() : pod.getStatus()));
    pod.setSpec(isReady(pod) ? null : node(pod.getSpec()));
  }

  /** Its node; few pods are not ready, so this needs little memory. */
  private static PodSpec node(PodSpec spec) {
    return spec == null || spec.getNodeName() == null
        ? null
        : new PodSpecBuilder().withNodeName(shared(spec.getNodeName())).build();
  }

  private static boolean isReady(Pod pod) {
    return !pod.isMarkedForDeletion()
        && pod.getStatus().getConditions().stream()
            .anyMatch(it -> it.getType().equals("Ready") && it.getStatus().equals("True"));
  }

  /** Whether an update of a pod changes anything that the watcher reads. */
  public static boolean differs(Pod now, Pod before) {
    return !now.getStatus().equals(before.getStatus())
        || !now.getMetadata().getUid().equals(before.getMetadata().getUid())
        || !now.getMetadata().getLabels().equals(before.getMetadata().getLabels())
        || now.isMarkedForDeletion() != before.isMarkedForDeletion();
  }

  /**
   * Only kind and name: the uid would cost one more text per pod, and the watcher does not need it.
   */
  private static List<OwnerReference> controller(List<OwnerReference> owners) {
    return owners.stream()
        .filter(owner -> Boolean.TRUE.equals(owner.getController()))
        .map(
            owner ->
                new OwnerReferenceBuilder()
                    .withController(true)
                    .withKind(shared(owner.getKind()))
                    .withName(shared(owner.getName()))
                    .build())
        .toList();
  }

  private static PodStatus status(PodStatus status) {
    return new PodStatusBuilder()
        .withPhase(shared(status.getPhase()))
        .withPodIP(status.getPodIP())
        .withReason(shared(status.getReason()))
        .withConditions(
            status.getConditions().stream()
                .filter(PodCacheTransform::matters)
                .map(PodCacheTransform::condition)
                .toList())
        .withInitContainerStatuses(containers(status.getInitContainerStatuses()))
        .withContainerStatuses(containers(status.getContainerStatuses()))
        .build();
  }

  private static boolean matters(PodCondition condition) {
    return condition.getType().equals("Ready")
        || (condition.getType().equals("PodScheduled") && condition.getStatus().equals("False"));
  }

  private static PodCondition condition(PodCondition condition) {
    return new PodConditionBuilder()
        .withType(shared(condition.getType()))
        .withStatus(shared(condition.getStatus()))
        .withReason(shared(condition.getReason()))
        .withMessage(
            condition.getType().equals("PodScheduled")
                ? Excerpt.within(condition.getMessage(), LONGEST_MESSAGE)
                : null)
        .build();
  }

  /** Only waiting and terminated containers, with the reason; and the image if that is missing. */
  private static List<ContainerStatus> containers(List<ContainerStatus> statuses) {
    return statuses.stream()
        .filter(status -> status.getState() != null && status.getState().getRunning() == null)
        .map(PodCacheTransform::container)
        .toList();
  }

  private static ContainerStatus container(ContainerStatus status) {
    var waiting = status.getState().getWaiting();
    var terminated = status.getState().getTerminated();
    var lean = new ContainerStatusBuilder().withNewState().endState();
    if (waiting != null) {
      var reason = shared(waiting.getReason());
      lean.editState().withNewWaiting().withReason(reason).endWaiting().endState();
      if (ImageTrouble.of(reason, status.getName(), status.getImage()).isPresent()) {
        lean.withName(shared(status.getName())).withImage(shared(status.getImage()));
      }
    }
    if (terminated != null) {
      var reason = shared(terminated.getReason());
      lean.editState().withNewTerminated().withReason(reason).endTerminated().endState();
    }
    return lean.build();
  }
}
