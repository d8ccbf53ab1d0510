package io.middleware.engine.activities.kubernetes;

import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStateWaiting;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodStatus;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** How a pod is, in its own words. */
public record PodState(Pod pod) {
  private static final String REVISION = "controller-revision-hash";
  private static final Set<String> ON_THE_WAY = Set.of("ContainerCreating", "PodInitializing");

  public String name() {
    return pod.getMetadata().getName();
  }

  public String uid() {
    return pod.getMetadata().getUid();
  }

  /** Where its agent listens; empty as long as it has no address. */
  public Optional<String> ip() {
    return Optional.ofNullable(status().getPodIP()).filter(ip -> !ip.isEmpty());
  }

  /** Of the StatefulSet it was made from; empty for other pods. */
  public String revision() {
    return label(REVISION);
  }

  /** The label's value, else the empty text. */
  public String label(String name) {
    var labels = pod.getMetadata().getLabels();
    return (labels == null ? Map.<String, String>of() : labels).getOrDefault(name, "");
  }

  public boolean isTerminating() {
    return pod.getMetadata().getDeletionTimestamp() != null;
  }

  /** Whether it can do its work; a pod that is being deleted can not. */
  public boolean isReady() {
    return !isTerminating()
        && condition("Ready").filter(c -> "True".equals(c.getStatus())).isPresent();
  }

  /** Whether this object made it. */
  public boolean isControlledBy(HasMetadata owner) {
    return pod.getMetadata().getOwnerReferences().stream()
        .anyMatch(
            reference ->
                Boolean.TRUE.equals(reference.getController())
                    && owner.getMetadata().getUid().equals(reference.getUid()));
  }

  /** Whether a StatefulSet made it and nothing owns it any more. */
  public boolean isOrphan() {
    return !revision().isEmpty()
        && pod.getMetadata().getOwnerReferences().stream()
            .noneMatch(reference -> Boolean.TRUE.equals(reference.getController()));
  }

  /** What keeps it from being ready, for people; asked of pods that are not. */
  public String trouble() {
    if (isTerminating()) {
      var finalizers = pod.getMetadata().getFinalizers();
      return "is being deleted"
          + (finalizers.isEmpty() ? "" : ", held by finalizer " + String.join(", ", finalizers));
    }
    return Stream.of(
            waiting(reason -> !ON_THE_WAY.contains(reason)),
            terminated(),
            unschedulable(),
            gone(),
            waiting(ON_THE_WAY::contains),
            condition("Ready").map(c -> said(c.getReason(), c.getMessage())))
        .flatMap(Optional::stream)
        .filter(words -> !words.isEmpty())
        .findFirst()
        .orElse(status().getPhase() == null ? "Pending" : status().getPhase());
  }

  private Optional<String> waiting(Predicate<String> reasons) {
    return containers()
        .map(ContainerStatus::getState)
        .filter(state -> state != null && state.getWaiting() != null)
        .map(ContainerState::getWaiting)
        .filter(waiting -> waiting.getReason() != null && reasons.test(waiting.getReason()))
        .map(PodState::said)
        .findFirst();
  }

  private Optional<String> terminated() {
    return containers()
        .map(ContainerStatus::getState)
        .filter(state -> state != null && state.getTerminated() != null)
        .map(ContainerState::getTerminated)
        .filter(end -> end.getExitCode() != null && end.getExitCode() != 0)
        .map(PodState::said)
        .findFirst();
  }

  private Optional<String> unschedulable() {
    return condition("PodScheduled")
        .filter(c -> "False".equals(c.getStatus()))
        .map(c -> said(c.getReason(), c.getMessage()));
  }

  private Optional<String> gone() {
    return "Failed".equals(status().getPhase())
        ? Optional.of(said("Failed", said(status().getReason(), status().getMessage())))
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

  private static String said(ContainerStateWaiting waiting) {
    return said(waiting.getReason(), waiting.getMessage());
  }

  private static String said(ContainerStateTerminated end) {
    return said(end.getReason(), "exit code " + end.getExitCode());
  }

  private static String said(String reason, String message) {
    return Stream.of(reason, message)
        .filter(part -> part != null && !part.isEmpty())
        .reduce((first, second) -> first + ": " + second)
        .orElse("");
  }
}
