package io.middleware.engine.cluster;

import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStateWaiting;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimVolumeSource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.Volume;
import io.middleware.engine.process.ImageTrouble;
import io.middleware.engine.process.PlainText;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** A pod's state, as its status reports it. */
public record PodState(Pod pod) {
  private static final String REVISION = "controller-revision-hash";
  private static final int LONGEST_WORDS = 400;
  private static final Set<String> STARTING = Set.of("ContainerCreating", "PodInitializing");

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
    if (isTerminating()) {
      var finalizers = pod.getMetadata().getFinalizers();
      return "is being deleted"
          + (finalizers.isEmpty() ? "" : ", held by finalizer " + String.join(", ", finalizers));
    }
    return Stream.of(
            waiting(reason -> !STARTING.contains(reason)),
            terminated(),
            unschedulable(),
            failed(),
            waiting(STARTING::contains),
            unplaced(),
            condition("Ready").map(c -> text(c.getReason(), c.getMessage())))
        .flatMap(Optional::stream)
        .filter(text -> !text.isEmpty())
        .findFirst()
        .orElse(status().getPhase() == null ? "Pending" : status().getPhase());
  }

  private Optional<String> waiting(Predicate<String> reasons) {
    return containers()
        .filter(it -> it.getState() != null && it.getState().getWaiting() != null)
        .filter(it -> it.getState().getWaiting().getReason() != null)
        .filter(it -> reasons.test(it.getState().getWaiting().getReason()))
        .map(it -> text(it, it.getState().getWaiting()) + lastWords(it))
        .findFirst();
  }

  /** What a container that ended said about it, such as one that has nothing to restore from. */
  private static String lastWords(ContainerStatus container) {
    return Optional.ofNullable(container.getLastState())
        .map(ContainerState::getTerminated)
        .map(ContainerStateTerminated::getMessage)
        .filter(message -> !message.isBlank())
        .map(message -> "; before: " + PlainText.clean(message, LONGEST_WORDS))
        .orElse("");
  }

  private Optional<String> terminated() {
    return containers()
        .map(ContainerStatus::getState)
        .filter(state -> state != null && state.getTerminated() != null)
        .map(ContainerState::getTerminated)
        .filter(end -> end.getExitCode() != null && end.getExitCode() != 0)
        .map(PodState::text)
        .findFirst();
  }

  private Optional<String> unschedulable() {
    return condition("PodScheduled")
        .filter(c -> "False".equals(c.getStatus()))
        .map(c -> text(c.getReason(), c.getMessage()));
  }

  /** While the scheduler waits for a volume, which the pod itself does not say. */
  private Optional<String> unplaced() {
    var unscheduled = pod.getSpec() != null && pod.getSpec().getNodeName() == null;
    return unscheduled && !claims().isEmpty()
        ? Optional.of(
            "has no node yet; a volume claim may not be bound: " + String.join(", ", claims()))
        : Optional.empty();
  }

  private Optional<String> failed() {
    return "Failed".equals(status().getPhase())
        ? Optional.of(text("Failed", text(status().getReason(), status().getMessage())))
        : Optional.empty();
  }

  private Stream<ContainerStatus> containers() {
    return Stream.of(status().getInitContainerStatuses(), status().getContainerStatuses())
        .flatMap(List::stream);
  }

  private Optional<PodCondition> condition(String type) {
    return status().getConditions().stream().filter(c -> type.equals(c.getType())).findFirst();
  }

  private PodStatus status() {
    return pod.getStatus() == null ? new PodStatus() : pod.getStatus();
  }

  private static String text(ContainerStatus container, ContainerStateWaiting waiting) {
    var image = ImageTrouble.of(waiting.getReason(), container.getName(), container.getImage());
    return text(text(waiting.getReason(), image.orElse("")), waiting.getMessage());
  }

  private static String text(ContainerStateTerminated end) {
    return text(end.getReason(), "exit code " + end.getExitCode());
  }

  private static String text(String reason, String message) {
    return Stream.of(reason, message)
        .filter(part -> part != null && !part.isEmpty())
        .reduce((first, second) -> first + ": " + second)
        .orElse("");
  }
}
