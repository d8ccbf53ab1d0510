package io.middleware.engine.process.pods;

import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimVolumeSource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.Volume;
import io.middleware.engine.api.task.PlainText;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Why a pod is not ready, for people: the one description that conditions, events, the progress of
 * a change and the message of a task that timed out share. It is made of the words of kubelet,
 * scheduler and server, with the cause first.
 *
 * <p>Of several reasons it gives the one closest to the cause:
 *
 * <ol>
 *   <li>the pod is being deleted, and what kept it from starting before that;
 *   <li>a container cannot start, or has ended: how, and the last line that it wrote;
 *   <li>the scheduler finds no node, the pod has failed as a whole;
 *   <li>a container is being created, a volume claim is not bound, a probe fails: what an event
 *       says of it.
 * </ol>
 *
 * @param event what was last said of the pod in events ({@link PodEvents}); empty when nothing was
 */
public record PodTrouble(Pod pod, Optional<String> event) {
  private static final int LONGEST = 300;
  private static final int LONGEST_LINE = 400;
  private static final Predicate<String> IS_STARTING =
      Set.of("ContainerCreating", "PodInitializing")::contains;
  private static final String CRASH_LOOP = "CrashLoopBackOff";

  /** One line. */
  public String text() {
    if (pod.getMetadata().getDeletionTimestamp() != null) {
      var finalizers = pod.getMetadata().getFinalizers();
      return "is being deleted"
          + (finalizers.isEmpty() ? "" : ", held by finalizer " + String.join(", ", finalizers))
          + place()
          + waiting(IS_STARTING.negate()).map("; before: "::concat).orElse("");
    }
    return Stream.of(
            waiting(IS_STARTING.negate()).map(this::withPullSecret),
            ended(),
            unschedulable(),
            failed(),
            waiting(IS_STARTING).map(this::withEvent),
            unplaced(),
            killed(),
            event.map(it -> it + place()),
            condition("Ready").map(c -> text(c.getReason(), c.getMessage())).map(this::placed))
        .flatMap(Optional::stream)
        .filter(text -> !text.isEmpty())
        .findFirst()
        .orElseGet(this::phase);
  }

  /** Whether its status does not say why, so that an event has to. */
  public boolean needsEvent() {
    return pod.getMetadata().getDeletionTimestamp() == null
        && !isReady()
        && ended().isEmpty()
        && failed().isEmpty()
        && (waiting(IS_STARTING.negate()).isEmpty() || lacksImage());
  }

  /** The names of the volume claims of a pod without a node. */
  List<String> unboundClaims() {
    return pod.getSpec() == null || pod.getSpec().getNodeName() != null
        ? List.of()
        : pod.getSpec().getVolumes().stream()
            .map(Volume::getPersistentVolumeClaim)
            .filter(Objects::nonNull)
            .map(PersistentVolumeClaimVolumeSource::getClaimName)
            .toList();
  }

  /** Whether a container waits for its image. */
  boolean lacksImage() {
    return containers()
        .flatMap(it -> Stream.ofNullable(it.getState()).flatMap(PodTrouble::waitingReason))
        .anyMatch(reason -> ImageTrouble.of(reason, "", "").isPresent());
  }

  private static Stream<String> waitingReason(ContainerState state) {
    return state.getWaiting() == null
        ? Stream.empty()
        : Stream.ofNullable(state.getWaiting().getReason());
  }

  private boolean isReady() {
    return condition("Ready").filter(c -> "True".equals(c.getStatus())).isPresent();
  }

  private Optional<String> waiting(Predicate<String> reasons) {
    return containers()
        .filter(it -> it.getState() != null)
        .filter(it -> waitingReason(it.getState()).anyMatch(reasons))
        .map(PodTrouble::waiting)
        .findFirst();
  }

  private static String waiting(ContainerStatus container) {
    var waiting = container.getState().getWaiting();
    var before = last(container).map(end -> end(container, end));
    if (CRASH_LOOP.equals(waiting.getReason()) && before.isPresent()) {
      return text(waiting.getReason(), before.get());
    }
    var image = ImageTrouble.of(waiting.getReason(), container.getName(), container.getImage());
    return text(text(waiting.getReason(), image.orElse("")), said(waiting.getMessage()))
        + before.map("; before: "::concat).orElse("");
  }

  private Optional<String> ended() {
    return containers()
        .filter(it -> it.getState() != null && hasFailed(it.getState().getTerminated()))
        .map(it -> end(it, it.getState().getTerminated()))
        .findFirst();
  }

  /** A container that runs again, and whose memory limit it was. */
  private Optional<String> killed() {
    return containers()
        .flatMap(it -> last(it).filter(PodTrouble::isOutOfMemory).map(end -> end(it, end)).stream())
        .map(text -> text + "; it runs again")
        .findFirst();
  }

  private static Optional<ContainerStateTerminated> last(ContainerStatus container) {
    return Optional.ofNullable(container.getLastState())
        .map(ContainerState::getTerminated)
        .filter(PodTrouble::hasFailed);
  }

  private static boolean hasFailed(ContainerStateTerminated end) {
    return end != null
        && (end.getExitCode() == null
            ? end.getReason() != null && !"Completed".equals(end.getReason())
            : end.getExitCode() != 0);
  }

  private static boolean isOutOfMemory(ContainerStateTerminated end) {
    return "OOMKilled".equals(end.getReason());
  }

  /** How a container has ended. */
  private static String end(ContainerStatus container, ContainerStateTerminated end) {
    var name = container.getName() == null ? "a container" : "container " + container.getName();
    if (isOutOfMemory(end)) {
      return "OOMKilled: %s needs more memory than its limit: raise the limit".formatted(name);
    }
    var reason =
        end.getReason() == null || "Error".equals(end.getReason())
            ? ""
            : " (%s)".formatted(end.getReason());
    return text(
        "%s ended with exit code %s%s".formatted(name, end.getExitCode(), reason), lastLine(end));
  }

  private static String lastLine(ContainerStateTerminated end) {
    return Optional.ofNullable(end.getMessage()).stream()
        .flatMap(String::lines)
        .filter(line -> !line.isBlank())
        .reduce((earlier, later) -> later)
        .map(line -> PlainText.clean(line, LONGEST_LINE))
        .orElse("");
  }

  private Optional<String> unschedulable() {
    return condition("PodScheduled")
        .filter(c -> "False".equals(c.getStatus()))
        .map(c -> text(c.getReason(), said(c.getMessage())))
        .map(text -> event.map(it -> it + "; " + text).orElse(text));
  }

  /** While the scheduler waits for a volume, which the pod itself does not say. */
  private Optional<String> unplaced() {
    var claims = unboundClaims();
    return claims.isEmpty()
        ? Optional.empty()
        : Optional.of(
            event
                .map(it -> it + "; no node yet")
                .orElseGet(
                    () ->
                        "has no node yet; a volume claim may not be bound: "
                            + String.join(", ", claims)));
  }

  private Optional<String> failed() {
    return "Failed".equals(status().getPhase())
        ? Optional.of(text("Failed", text(status().getReason(), said(status().getMessage()))))
        : Optional.empty();
  }

  private String withPullSecret(String text) {
    return lacksImage() ? event.map(it -> it + "; " + text).orElse(text) : text;
  }

  private String withEvent(String text) {
    return event.map(it -> text + ": " + it).orElse(text);
  }

  private String placed(String text) {
    return text.isEmpty() ? text : text + place();
  }

  /** Where the pod is, because its node may be why. */
  private String place() {
    return pod.getSpec() == null || pod.getSpec().getNodeName() == null
        ? ""
        : " (node %s)".formatted(pod.getSpec().getNodeName());
  }

  private String phase() {
    var phase = status().getPhase();
    return phase == null ? "Pending" : "Pending".equals(phase) ? phase : "NotReady" + place();
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

  private static String said(String message) {
    return message == null ? "" : PlainText.clean(message, LONGEST);
  }

  private static String text(String reason, String message) {
    return Stream.of(reason, message)
        .filter(part -> part != null && !part.isEmpty())
        .reduce((first, second) -> first + ": " + second)
        .orElse("");
  }
}
