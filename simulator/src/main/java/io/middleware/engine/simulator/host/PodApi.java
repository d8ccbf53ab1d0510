package io.middleware.engine.simulator.host;

import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateBuilder;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.DeleteOptionsBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodConditionBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/** Reports the status of a pod to the API server, like a kubelet. */
record PodApi(KubernetesClient client) {
  private static final List<String> READINESS = List.of("ContainersReady", "Ready");

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

  /**
   * Fails with a conflict when the pod has changed since it was observed.
   *
   * @param init the status of the init container; empty: unchanged
   */
  void report(Pod observed, boolean ready, int restarts, Optional<ContainerStatus> init) {
    var builder = new PodBuilder(observed).editStatus();
    for (var type : READINESS) {
      var condition = condition(type, ready, "ContainersNotReady");
      builder =
          builder
              .removeMatchingFromConditions(one -> type.equals(one.getType()))
              .addToConditions(condition);
    }
    if (init.isPresent()) {
      var condition = condition(INITIALIZED, init.get().getReady(), "ContainersNotInitialized");
      builder =
          builder
              .withInitContainerStatuses(init.get())
              .removeMatchingFromConditions(one -> INITIALIZED.equals(one.getType()))
              .addToConditions(condition);
    }
    var started = init.map(ContainerStatus::getReady).orElse(true);
    var containers =
        observed.getStatus().getContainerStatuses().stream()
            .map(container -> with(container, ready, restarts, started))
            .toList();
    client.resource(builder.withContainerStatuses(containers).endStatus().build()).updateStatus();
  }

  /** Removes the pod after its processes have ended. */
  void remove(Pod pod) {
    var meta = pod.getMetadata();
    var options =
        new DeleteOptionsBuilder()
            .withGracePeriodSeconds(0L)
            .withNewPreconditions(null, meta.getUid())
            .build();
    client.raw(
        "/api/v1/namespaces/%s/pods/%s".formatted(meta.getNamespace(), meta.getName()),
        "DELETE",
        options);
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
      ContainerStatus container, boolean ready, int restarts, boolean started) {
    var builder =
        new ContainerStatusBuilder(container)
            .withReady(ready)
            .withStarted(started)
            .withRestartCount(restarts);
    var waits = container.getState() != null && container.getState().getWaiting() != null;
    if (started == waits) {
      builder.withState(started ? running() : WAITING_FOR_INIT);
    }
    return builder.build();
  }

  private static ContainerState running() {
    return new ContainerStateBuilder().withNewRunning(now()).build();
  }

  private static String now() {
    return Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
