package io.middleware.engine.cluster.agents;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.GroupStatus;
import io.middleware.engine.api.Labels;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.PodState;
import java.net.HttpURLConnection;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * The engine's last switchover of a group, in an annotation of its Group. The roles in the status
 * may be seconds older. The watcher asks all agents of the group when it sees the annotation, and
 * then says in the status that the roles are newer.
 *
 * @param pod name of the primary since then
 * @param ip its address
 */
record LastSwitchover(String pod, String ip) {
  private static final String UNKNOWN = "-";

  /** Empty when there was none, or when the roles in the status are newer. */
  static Optional<LastSwitchover> in(Group group) {
    var status = Optional.ofNullable(group.getStatus());
    return Optional.ofNullable(group.getMetadata().getAnnotations())
        .map(annotations -> annotations.get(Labels.SWITCHED_OVER))
        .filter(
            last -> !status.map(GroupStatus::observedSwitchover).filter(last::equals).isPresent())
        .map(last -> List.of(last.split(" ")))
        .filter(parts -> parts.size() > 1)
        .map(parts -> new LastSwitchover(parts.get(0), parts.get(1)));
  }

  /**
   * What records that a pod has switched over to the pod of this name, which may be empty.
   *
   * @param client with the engine's own rights
   */
  static BiConsumer<PodState, String> recordedBy(KubernetesClient client) {
    return (pod, primary) -> {
      var namespace = pod.pod().getMetadata().getNamespace();
      var group =
          Labels.groupName(
              pod.label(Labels.APP), pod.label(Labels.COMPONENT), pod.label(Labels.GROUP));
      var last =
          "%s %s %s"
              .formatted(
                  primary.isEmpty() ? UNKNOWN : primary,
                  address(client, namespace, primary).orElse(UNKNOWN),
                  Instant.now());
      var annotation = Map.of("annotations", Map.of(Labels.SWITCHED_OVER, last));
      annotate(client, namespace, group, Serialization.asJson(Map.of("metadata", annotation)));
    };
  }

  private static void annotate(
      KubernetesClient client, String namespace, String group, String patch) {
    try {
      client
          .resources(Group.class)
          .inNamespace(namespace)
          .withName(group)
          .patch(PatchContext.of(PatchType.JSON_MERGE), patch);
    } catch (KubernetesClientException e) {
      if (e.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
        throw Faults.of("record the switchover of Group %s/%s".formatted(namespace, group), e);
      }
    }
  }

  /** Uses a list, which the engine may read. */
  private static Optional<String> address(
      KubernetesClient client, String namespace, String primary) {
    return primary.isEmpty()
        ? Optional.empty()
        : Faults.list(
                "pod " + primary,
                client
                    .resources(Pod.class)
                    .inNamespace(namespace)
                    .withField("metadata.name", primary))
            .stream()
            .map(PodState::new)
            .flatMap(found -> found.ip().stream())
            .findFirst();
  }
}
