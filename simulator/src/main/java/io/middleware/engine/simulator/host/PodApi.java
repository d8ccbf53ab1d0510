package io.middleware.engine.simulator.host;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.DeleteOptionsBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodConditionBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** Reports the status of a pod to the API server, like a kubelet. */
record PodApi(KubernetesClient client) {
  private static final List<String> READINESS = List.of("ContainersReady", "Ready");

  static boolean isReady(Pod pod) {
    return pod.getStatus().getConditions().stream()
        .anyMatch(one -> one.getType().equals("Ready") && one.getStatus().equals("True"));
  }

  /** Fails with a conflict when the pod has changed since it was observed. */
  void report(Pod observed, boolean ready, int restarts) {
    var now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    var builder = new PodBuilder(observed).editStatus();
    for (var type : READINESS) {
      builder =
          builder
              .removeMatchingFromConditions(one -> type.equals(one.getType()))
              .addToConditions(
                  new PodConditionBuilder()
                      .withType(type)
                      .withStatus(ready ? "True" : "False")
                      .withReason(ready ? null : "ContainersNotReady")
                      .withLastTransitionTime(now)
                      .build());
    }
    var containers =
        observed.getStatus().getContainerStatuses().stream()
            .map(container -> with(container, ready, restarts))
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

  private static ContainerStatus with(ContainerStatus container, boolean ready, int restarts) {
    return new ContainerStatusBuilder(container)
        .withReady(ready)
        .withRestartCount(restarts)
        .build();
  }
}
