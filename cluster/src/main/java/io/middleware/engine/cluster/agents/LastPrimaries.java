package io.middleware.engine.cluster.agents;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.Role;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.workflows.port.GroupRef;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The primary of a group when its agents last said who it is, or switched over. */
@FunctionalInterface
public interface LastPrimaries {

  /**
   * @param pods of the group as they are now
   * @return its name; empty when it is not known, or no longer among the pods
   */
  Optional<String> of(GroupRef group, List<PodState> pods);

  /**
   * As the watcher keeps it in the status of the Group, unless a switchover is newer.
   *
   * @param client with the engine's own rights
   */
  static LastPrimaries in(KubernetesClient client) {
    return (ref, pods) ->
        read(client, ref).stream()
            .flatMap(LastPrimaries::primaries)
            .flatMap(last -> pods.stream().filter(pod -> isSame(last, pod)))
            .map(PodState::name)
            .findFirst();
  }

  private static Stream<LastSwitchover> primaries(Group group) {
    return LastSwitchover.in(group)
        .map(Stream::of)
        .orElseGet(
            () ->
                Stream.ofNullable(group.getStatus())
                    .flatMap(status -> Stream.ofNullable(status.nodes()).flatMap(List::stream))
                    .filter(node -> Role.PRIMARY.equals(node.role()))
                    .map(node -> new LastSwitchover(node.pod(), node.ip())));
  }

  /** A pod that was created again since then has another address. */
  private static boolean isSame(LastSwitchover last, PodState pod) {
    return pod.name().equals(last.pod()) && Objects.equals(pod.ip().orElse(null), last.ip());
  }

  private static Optional<Group> read(KubernetesClient client, GroupRef ref) {
    var change = ref.task().change();
    var name = Labels.groupName(change.app(), ref.task().component(), ref.group());
    try {
      return Optional.ofNullable(
          client.resources(Group.class).inNamespace(change.namespace()).withName(name).get());
    } catch (KubernetesClientException e) {
      Logger log = LoggerFactory.getLogger(LastPrimaries.class);
      log.atInfo().setCause(e).log("the last primary of group {} is not known", name);
      return Optional.empty();
    }
  }
}
