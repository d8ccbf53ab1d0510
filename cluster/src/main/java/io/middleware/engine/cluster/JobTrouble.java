package io.middleware.engine.cluster;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.PodStatus;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * What a Job waits for that has not ended, for people.
 *
 * @param pods of the Job
 * @param refused why its controller cannot create a pod, asked only when there is none
 */
public record JobTrouble(JobState job, List<PodState> pods, Supplier<Optional<String>> refused) {
  public JobTrouble {
    pods = List.copyOf(pods);
  }

  public String text() {
    return "Job %s: %s".formatted(job.name(), cause());
  }

  private String cause() {
    if (job.isSuspended()) {
      return "is suspended: set its spec.suspend to false";
    }
    return Rollout.firstFew(pods.stream().map(JobTrouble::of).toList())
        .or(() -> refused.get().map("its pod "::concat))
        .orElse("its pod does not exist yet");
  }

  private static String of(PodState pod) {
    return "pod %s: %s"
        .formatted(pod.name(), left(pod).orElseGet(() -> pod.isReady() ? "runs" : pod.trouble()));
  }

  /** A helper that goes on although the others have ended well keeps the Job from ending. */
  private static Optional<String> left(PodState pod) {
    var containers =
        Objects.requireNonNullElseGet(pod.pod().getStatus(), PodStatus::new).getContainerStatuses();
    var running =
        containers.stream().filter(JobTrouble::runs).map(ContainerStatus::getName).toList();
    var ended = containers.stream().anyMatch(JobTrouble::hasSucceeded);
    return ended && !running.isEmpty()
        ? Optional.of(
            "container %s still runs although another has ended: make it an init container with restartPolicy Always, which ends by itself"
                .formatted(String.join(", ", running)))
        : Optional.empty();
  }

  private static boolean runs(ContainerStatus container) {
    return Stream.ofNullable(container.getState()).anyMatch(it -> it.getRunning() != null);
  }

  private static boolean hasSucceeded(ContainerStatus container) {
    return Stream.ofNullable(container.getState())
        .flatMap(it -> Stream.ofNullable(it.getTerminated()))
        .anyMatch(end -> Integer.valueOf(0).equals(end.getExitCode()));
  }
}
