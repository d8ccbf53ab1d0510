package io.middleware.engine.cluster;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimVolumeSource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.Volume;
import io.middleware.engine.process.pods.PodTrouble;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A pod's state, as its status reports it.
 *
 * @param event what events say last of a pod that is not ready; empty when that is not known
 */
public record PodState(Pod pod, Optional<String> event) {
  private static final String REVISION = "controller-revision-hash";

  /** Between the end of the grace period and the end of a pod. */
  private static final Duration USUAL_DELAY = Duration.ofMinutes(1);

  /** As far as the pod itself says. */
  public PodState(Pod pod) {
    this(pod, Optional.empty());
  }

  /** A pod that is about to be created; nothing but its name and its revision is known. */
  public static PodState expected(String name, String revision) {
    return new PodState(
        new PodBuilder()
            .withNewMetadata()
            .withName(name)
            .addToLabels(REVISION, revision)
            .endMetadata()
            .build());
  }

  public String name() {
    return pod.getMetadata().getName();
  }

  public String uid() {
    return pod.getMetadata().getUid();
  }

  /** The address of the pod's agent; empty while the pod has none. */
  public Optional<String> ip() {
    return Optional.ofNullable(status().getPodIP()).filter(ip -> !ip.isEmpty());
  }

  /** The StatefulSet revision that the pod was created from; empty for other pods. */
  public String revision() {
    return label(REVISION);
  }

  /** The label's value; empty when the pod does not carry it. */
  public String label(String name) {
    var labels = pod.getMetadata().getLabels();
    return (labels == null ? Map.<String, String>of() : labels).getOrDefault(name, "");
  }

  public boolean isTerminating() {
    return pod.getMetadata().getDeletionTimestamp() != null;
  }

  /**
   * Whether it should be gone for long: its node does not answer, or a finalizer holds it. The API
   * server says when a pod should be gone.
   */
  public boolean isStuck(Instant now) {
    return Optional.ofNullable(pod.getMetadata().getDeletionTimestamp())
        .flatMap(PodState::instant)
        .filter(gone -> gone.plus(USUAL_DELAY).isBefore(now))
        .isPresent();
  }

  /** Whether the pod is ready; a pod that is being deleted is not. */
  public boolean isReady() {
    return !isTerminating()
        && condition("Ready").filter(c -> "True".equals(c.getStatus())).isPresent();
  }

  /** When the pod got ready, by the clock of its node; empty while it is not. */
  public Optional<Instant> readySince() {
    return Optional.of("Ready")
        .filter(type -> isReady())
        .flatMap(this::condition)
        .map(PodCondition::getLastTransitionTime)
        .flatMap(PodState::instant);
  }

  private static Optional<Instant> instant(String time) {
    try {
      return Optional.of(Instant.parse(time));
    } catch (DateTimeParseException e) {
      return Optional.empty(); // whoever has written it: then nobody knows
    }
  }

  /**
   * Whether a process in it may hold what is not on its volume: it is ready, or a container runs.
   */
  public boolean isRunning() {
    return isReady()
        || !isTerminating()
            && status().getContainerStatuses().stream()
                .anyMatch(it -> it.getState() != null && it.getState().getRunning() != null);
  }

  /** Whether a container runs, other than the one that listens at this port. */
  public boolean runsBeside(int port) {
    var beside =
        Optional.ofNullable(pod.getSpec()).stream()
            .flatMap(spec -> spec.getContainers().stream())
            .filter(it -> it.getPorts().stream().anyMatch(p -> p.getContainerPort() == port))
            .map(Container::getName)
            .toList();
    return status().getContainerStatuses().stream()
        .filter(it -> !beside.contains(it.getName()))
        .anyMatch(it -> it.getState() != null && it.getState().getRunning() != null);
  }

  /** Whether all its containers have ended for good. */
  public boolean hasEnded() {
    return "Succeeded".equals(status().getPhase()) || "Failed".equals(status().getPhase());
  }

  /** Whether this object is the pod's controller. */
  public boolean isControlledBy(HasMetadata owner) {
    return isControlledBy(owner.getMetadata().getUid());
  }

  /** Whether the object of this uid is the pod's controller. */
  public boolean isControlledBy(String uid) {
    return controller().filter(it -> uid.equals(it.getUid())).isPresent();
  }

  /** The object that controls the pod; empty when none does. */
  public Optional<OwnerReference> controller() {
    return pod.getMetadata().getOwnerReferences().stream()
        .filter(reference -> Boolean.TRUE.equals(reference.getController()))
        .findFirst();
  }

  /** The names of the volume claims that the pod mounts. */
  public List<String> claims() {
    return Optional.ofNullable(pod.getSpec()).stream()
        .flatMap(spec -> spec.getVolumes().stream())
        .map(Volume::getPersistentVolumeClaim)
        .filter(Objects::nonNull)
        .map(PersistentVolumeClaimVolumeSource::getClaimName)
        .toList();
  }

  /** Whether a StatefulSet created the pod and it has no controller any more. */
  public boolean isOrphan() {
    return !revision().isEmpty() && controller().isEmpty();
  }

  /** For people: what keeps a pod that is not ready from being ready. */
  public String trouble() {
    return new PodTrouble(pod, event).text();
  }

  private Optional<PodCondition> condition(String type) {
    return status().getConditions().stream().filter(c -> type.equals(c.getType())).findFirst();
  }

  private PodStatus status() {
    return pod.getStatus() == null ? new PodStatus() : pod.getStatus();
  }
}
