package io.middleware.engine.watcher.cache;

import static io.middleware.engine.watcher.cache.ObjectMetaCacheTransform.shared;

import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateBuilder;
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
import java.util.List;
import java.util.Map;

/** Reduces a pod to its owner, its readiness and the reason if it is not ready. */
public final class PodCacheTransform {
  /** Of what scheduler and kubelet say. */
  private static final int LONGEST_MESSAGE = 300;

  private PodCacheTransform() {}

  public static void reduce(Pod pod) {
    var controller = controller(pod.getMetadata().getOwnerReferences());
    ObjectMetaCacheTransform.reduce(pod);
    pod.getMetadata().setCreationTimestamp(null);
    pod.getMetadata().setAnnotations(Map.of());
    if (!pod.isMarkedForDeletion()) {
      pod.getMetadata().setFinalizers(List.of());
    }
    pod.getMetadata().setOwnerReferences(controller);
    pod.setStatus(status(pod.getStatus() == null ? new PodStatus() : pod.getStatus()));
    var ready = isReady(pod);
    pod.setSpec(ready ? null : node(pod.getSpec()));
    if (ready) {
      pod.getStatus().setInitContainerStatuses(List.of());
      pod.getStatus().setContainerStatuses(List.of());
    }
  }

  /** Its node, or the volume claims that may keep it from one; few pods are not ready. */
  private static PodSpec node(PodSpec spec) {
    if (spec == null) {
      return null;
    }
    return spec.getNodeName() == null
        ? new PodSpecBuilder()
            .withVolumes(
                spec.getVolumes().stream()
                    .filter(volume -> volume.getPersistentVolumeClaim() != null)
                    .toList())
            .build()
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
        .withMessage(excerpt(status.getMessage()))
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
        .withMessage(condition.getStatus().equals("True") ? null : excerpt(condition.getMessage()))
        .build();
  }

  /** Those that do not run, or have ended before; of ready pods none matters. */
  private static List<ContainerStatus> containers(List<ContainerStatus> statuses) {
    return statuses.stream()
        .filter(status -> status.getState() != null)
        .filter(status -> status.getState().getRunning() == null || failed(status.getLastState()))
        .map(PodCacheTransform::container)
        .toList();
  }

  private static boolean failed(ContainerState last) {
    return last != null
        && last.getTerminated() != null
        && !Integer.valueOf(0).equals(last.getTerminated().getExitCode());
  }

  private static ContainerStatus container(ContainerStatus status) {
    return new ContainerStatusBuilder()
        .withName(shared(status.getName()))
        .withImage(shared(status.getImage()))
        .withState(state(status.getState()))
        .withLastState(status.getLastState() == null ? null : state(status.getLastState()))
        .build();
  }

  /** Without times, and without the text of a back-off, which changes with each attempt. */
  private static ContainerState state(ContainerState state) {
    var lean = new ContainerStateBuilder();
    var waiting = state.getWaiting();
    if (waiting != null) {
      var backsOff = waiting.getReason() != null && waiting.getReason().endsWith("BackOff");
      lean.withNewWaiting(
          backsOff ? null : excerpt(waiting.getMessage()), shared(waiting.getReason()));
    }
    var end = state.getTerminated();
    if (end != null) {
      lean.withNewTerminated()
          .withReason(shared(end.getReason()))
          .withExitCode(end.getExitCode())
          .withMessage(end.getMessage())
          .endTerminated();
    }
    return lean.build();
  }

  private static String excerpt(String text) {
    return text == null ? null : Excerpt.within(text, LONGEST_MESSAGE);
  }
}
