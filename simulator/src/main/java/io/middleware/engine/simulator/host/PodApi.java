package io.middleware.engine.simulator.host;

import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateBuilder;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStateTerminatedBuilder;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.DeleteOptionsBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodConditionBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reports the status of a pod to the API server, like a kubelet. */
record PodApi(KubernetesClient client) {
  private static final List<String> READINESS = List.of("ContainersReady", "Ready");

  /** Answers to the deletion of a pod that is gone, or that has a successor with the same name. */
  private static final Set<Integer> GONE =
      Set.of(HttpURLConnection.HTTP_NOT_FOUND, HttpURLConnection.HTTP_CONFLICT);

  private static final String INITIALIZED = "Initialized";
  private static final ContainerState WAITING_FOR_INIT =
      new ContainerStateBuilder()
          .withNewWaiting()
          .withReason("PodInitializing")
          .endWaiting()
          .build();

  static boolean isReady(Pod pod) {
    return pod.getStatus().getConditions().stream()
        .anyMatch(one -> one.getType().equals("Ready") && one.getStatus().equals("True"));
  }

  /** What a pod says of a container. */
  static Optional<ContainerStatus> status(Pod pod, String container) {
    return pod.getStatus().getContainerStatuses().stream()
        .filter(one -> one.getName().equals(container))
        .findFirst();
  }

  /** How long the containers of a pod that is being deleted may take to end. */
  static Duration grace(Pod pod) {
    return Duration.ofSeconds(
        Optional.ofNullable(pod.getMetadata().getDeletionGracePeriodSeconds()).orElse(0L));
  }

  /**
   * Fails with a conflict when the pod has changed since it was observed.
   *
   * @param hosted each container that runs here; others stay as they are
   * @param init the status of each init container; none: unchanged
   */
  void report(
      Pod observed, boolean ready, List<ContainerStatus> hosted, List<ContainerStatus> init) {
    var builder = new PodBuilder(observed).editStatus();
    for (var type : READINESS) {
      var condition = condition(type, ready, "ContainersNotReady");
      builder =
          builder
              .removeMatchingFromConditions(one -> type.equals(one.getType()))
              .addToConditions(condition);
    }
    var started = init.stream().allMatch(ContainerStatus::getReady);
    if (!init.isEmpty()) {
      var condition = condition(INITIALIZED, started, "ContainersNotInitialized");
      builder =
          builder
              .withInitContainerStatuses(init)
              .removeMatchingFromConditions(one -> INITIALIZED.equals(one.getType()))
              .addToConditions(condition);
    }
    var containers =
        observed.getStatus().getContainerStatuses().stream()
            .map(one -> with(one, ready, hosted, started))
            .toList();
    client.resource(builder.withContainerStatuses(containers).endStatus().build()).updateStatus();
  }

  /**
   * Reports that the containers have ended. Fails with a conflict when the pod has changed since it
   * was observed.
   *
   * @param first how the first container has ended; the others have ended well
   */
  void reportEnd(Pod observed, ContainerStateTerminated first) {
    var succeeded = first.getExitCode() == 0;
    var builder =
        new PodBuilder(observed).editStatus().withPhase(succeeded ? "Succeeded" : "Failed");
    for (var type : READINESS) {
      builder =
          builder
              .removeMatchingFromConditions(one -> type.equals(one.getType()))
              .addToConditions(condition(type, false, succeeded ? "PodCompleted" : "PodFailed"));
    }
    var name = observed.getSpec().getContainers().getFirst().getName();
    var containers =
        observed.getStatus().getContainerStatuses().stream()
            .map(one -> ended(one, one.getName().equals(name) ? first : well(first)))
            .toList();
    client.resource(builder.withContainerStatuses(containers).endStatus().build()).updateStatus();
  }

  /** Removes the pod after its processes have ended, if it is not gone already. */
  void remove(Pod pod) {
    var meta = pod.getMetadata();
    var options =
        new DeleteOptionsBuilder()
            .withGracePeriodSeconds(0L)
            .withNewPreconditions(null, meta.getUid())
            .build();
    var path = "/api/v1/namespaces/%s/pods/%s".formatted(meta.getNamespace(), meta.getName());
    try {
      client.raw(path, "DELETE", options);
    } catch (KubernetesClientException e) {
      if (!GONE.contains(e.getCode())) {
        throw e;
      }
    }
  }

  private static PodCondition condition(String type, boolean met, String otherwise) {
    return new PodConditionBuilder()
        .withType(type)
        .withStatus(met ? "True" : "False")
        .withReason(met ? null : otherwise)
        .withLastTransitionTime(now())
        .build();
  }

  private static ContainerStatus with(
      ContainerStatus container, boolean ready, List<ContainerStatus> hosted, boolean started) {
    var builder = new ContainerStatusBuilder(container).withReady(ready).withStarted(started);
    var own = hosted.stream().filter(it -> it.getName().equals(container.getName())).findFirst();
    own.ifPresent(
        it -> builder.withRestartCount(it.getRestartCount()).withLastState(it.getLastState()));
    if (!started) {
      return builder.withState(WAITING_FOR_INIT).build();
    }
    if (own.map(ContainerStatus::getState).isPresent()) {
      return builder.withState(own.get().getState()).withReady(false).withStarted(false).build();
    }
    var runs = container.getState() != null && container.getState().getRunning() != null;
    return runs ? builder.build() : builder.withState(running()).build();
  }

  private static ContainerStatus ended(ContainerStatus container, ContainerStateTerminated how) {
    return new ContainerStatusBuilder(container)
        .withReady(false)
        .withStarted(false)
        .withNewState()
        .withTerminated(how)
        .endState()
        .build();
  }

  private static ContainerStateTerminated well(ContainerStateTerminated first) {
    return new ContainerStateTerminatedBuilder(first)
        .withExitCode(0)
        .withReason("Completed")
        .withMessage(null)
        .build();
  }

  private static ContainerState running() {
    return new ContainerStateBuilder().withNewRunning(now()).build();
  }

  private static String now() {
    return text(Instant.now());
  }

  static String text(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
