package io.middleware.engine.simulator.host;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerStateBuilder;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the init container of one pod until it succeeds, each time after a longer pause, as a
 * kubelet does. Used by one thread.
 */
final class InitContainer {
  private static final Logger LOG = LoggerFactory.getLogger(InitContainer.class);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

  private final String pod;
  private final Container container;
  private final Step step;
  private boolean done;
  private int failures;
  private Instant next = Instant.EPOCH;
  private Optional<Instant> begun = Optional.empty();
  private Optional<ContainerStatus> status = Optional.empty();

  /** What an init container does. */
  @FunctionalInterface
  interface Step {
    /**
     * Begins it or goes on with it. Returns what happened, for people; empty while it runs. Fails
     * as stores do, or with an IllegalStateException.
     */
    Optional<String> run() throws IOException;
  }

  /**
   * @param pod its namespace and name
   */
  InitContainer(String pod, Container container, Step step) {
    this.pod = pod;
    this.container = container;
    this.step = step;
  }

  /** Whether the status of the pod shows how the last run ended. */
  boolean isReportedBy(Pod pod) {
    return status.isEmpty()
        || pod.getStatus().getInitContainerStatuses().stream()
            .anyMatch(
                one ->
                    one.getName().equals(container.getName())
                        && one.getReady().equals(done)
                        && one.getRestartCount().equals(status.get().getRestartCount()));
  }

  Optional<ContainerStatus> status() {
    return status;
  }

  /** Runs it when it is time. Returns whether the containers may start. */
  boolean run() {
    if (!done && Instant.now().isAfter(next)) {
      var started = begun.orElseGet(Instant::now);
      begun = Optional.of(started);
      try {
        step.run().ifPresent(message -> succeeded(started, message));
      } catch (StatusRuntimeException e) {
        failed(started, String.valueOf(e.getStatus().getDescription()));
      } catch (IOException | KubernetesClientException | IllegalStateException e) {
        failed(started, e.getMessage());
      }
    }
    return done;
  }

  private void succeeded(Instant started, String message) {
    LOG.atInfo().addKeyValue("pod", pod).log(message);
    done = true;
    status = Optional.of(ended(started));
  }

  private void failed(Instant started, String message) {
    failures++;
    begun = Optional.empty();
    var pause = Duration.ofSeconds(1L << Math.min(failures - 1, Integer.SIZE - 2));
    pause = pause.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause;
    next = Instant.now().plus(pause);
    status = Optional.of(waiting(started, message, pause));
    LOG.atWarn()
        .addKeyValue("pod", pod)
        .addKeyValue("container", container.getName())
        .addKeyValue("cause", message)
        .log("init container failed");
  }

  private ContainerStatus ended(Instant started) {
    return named(failures)
        .withReady(true)
        .withState(
            new ContainerStateBuilder()
                .withNewTerminated()
                .withExitCode(0)
                .withReason("Completed")
                .withStartedAt(PodApi.text(started))
                .withFinishedAt(PodApi.text(Instant.now()))
                .endTerminated()
                .build())
        .build();
  }

  private ContainerStatus waiting(Instant started, String message, Duration pause) {
    return named(failures - 1)
        .withReady(false)
        .withNewState()
        .withNewWaiting()
        .withReason("CrashLoopBackOff")
        .withMessage(
            "back-off %ds restarting failed container=%s"
                .formatted(pause.toSeconds(), container.getName()))
        .endWaiting()
        .endState()
        .withNewLastState()
        .withNewTerminated()
        .withExitCode(1)
        .withReason("Error")
        .withMessage(message)
        .withStartedAt(PodApi.text(started))
        .withFinishedAt(PodApi.text(Instant.now()))
        .endTerminated()
        .endLastState()
        .build();
  }

  private ContainerStatusBuilder named(int restarts) {
    return new ContainerStatusBuilder()
        .withName(container.getName())
        .withImage(container.getImage())
        .withImageID("sim://" + container.getImage())
        .withContainerID("sim://" + container.getName())
        .withRestartCount(restarts);
  }
}
