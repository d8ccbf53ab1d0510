package io.middleware.engine.activities.actions;

import static java.util.Comparator.comparing;

import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.middleware.engine.api.task.PlainText;
import io.middleware.engine.cluster.JobState;
import io.middleware.engine.cluster.PodState;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * How a Job has ended, by what its pods say.
 *
 * @param exitCode of the container that failed, or 0; empty when no container has ended
 * @param words the last that this container wrote: its termination message, without the line break
 *     at its end
 * @param why it failed, for people; empty when it has succeeded
 */
public record JobEnd(Optional<Integer> exitCode, String words, String why) {

  private static final int LONGEST_LINE = 300;

  /**
   * The end of a Job.
   *
   * @param job that has ended
   * @param pods of the Job
   */
  public static JobEnd of(JobState job, List<PodState> pods) {
    return of(job, pods, Optional::empty);
  }

  /**
   * The end of a Job.
   *
   * @param job that has ended
   * @param pods of the Job
   * @param refused why its controller could create none, asked only when there is none
   */
  public static JobEnd of(JobState job, List<PodState> pods, Supplier<Optional<String>> refused) {
    var newestLast =
        pods.stream()
            .sorted(comparing(it -> it.pod().getMetadata().getCreationTimestamp()))
            .toList();
    return job.hasSucceeded()
        ? new JobEnd(Optional.of(0), last(newestLast, it -> it.code() == 0).words(), "")
        : failed(job, newestLast, refused);
  }

  /** Why it failed, with the last line that its container wrote; empty when it has succeeded. */
  public String explained() {
    var last = ActionTexts.end(ActionTexts.lastLine(PlainText.lines(words)), LONGEST_LINE);
    return last.isEmpty() ? why : why + ": " + last;
  }

  private static JobEnd failed(
      JobState job, List<PodState> pods, Supplier<Optional<String>> refused) {
    var container = last(pods, it -> it.code() != 0);
    var evicted =
        pods.stream().map(JobEnd::podFailure).flatMap(Optional::stream).reduce((a, b) -> b);
    var why = evicted.or(container::failure).orElseGet(() -> failure(job, pods, refused));
    return new JobEnd(container.exitCode(), container.words(), why);
  }

  /** Its deadline alone says nothing where there never was a pod. */
  private static String failure(
      JobState job, List<PodState> pods, Supplier<Optional<String>> refused) {
    return pods.isEmpty()
        ? job.failure() + refused.get().map("; its pod "::concat).orElse("")
        : job.failure();
  }

  /** Why the pod as a whole has failed, for example because its node had no memory left. */
  private static Optional<String> podFailure(PodState pod) {
    return Optional.ofNullable(pod.pod().getStatus())
        .filter(status -> "Failed".equals(status.getPhase()))
        .filter(status -> status.getReason() != null && !status.getReason().isEmpty())
        .map(it -> "pod %s: %s: %s".formatted(pod.name(), it.getReason(), it.getMessage()));
  }

  /**
   * Of the newest pod that has one, the first container that has ended so. Init containers come
   * last: a sidecar among them is only terminated because the others have ended.
   */
  private static ContainerEnd last(List<PodState> pods, Predicate<ContainerEnd> wanted) {
    return pods.stream()
        .flatMap(pod -> ContainerEnd.of(pod).filter(wanted).findFirst().stream())
        .reduce((older, newer) -> newer)
        .orElse(ContainerEnd.NONE);
  }

  /**
   * @param end null when no container has ended
   */
  private record ContainerEnd(String pod, ContainerStateTerminated end) {
    static final ContainerEnd NONE = new ContainerEnd("", null);

    static Stream<ContainerEnd> of(PodState pod) {
      var status = Objects.requireNonNullElseGet(pod.pod().getStatus(), PodStatus::new);
      return Stream.of(status.getContainerStatuses(), status.getInitContainerStatuses())
          .flatMap(List::stream)
          .map(ContainerStatus::getState)
          .filter(Objects::nonNull)
          .map(ContainerState::getTerminated)
          .filter(it -> it != null && it.getExitCode() != null)
          .map(it -> new ContainerEnd(pod.name(), it));
    }

    int code() {
      return end.getExitCode();
    }

    Optional<Integer> exitCode() {
      return Optional.ofNullable(end).map(ContainerStateTerminated::getExitCode);
    }

    String words() {
      return end == null || end.getMessage() == null ? "" : end.getMessage().stripTrailing();
    }

    Optional<String> failure() {
      return Optional.ofNullable(end)
          .map(it -> "pod %s: %s, exit code %d".formatted(pod, it.getReason(), it.getExitCode()));
    }
  }
}
