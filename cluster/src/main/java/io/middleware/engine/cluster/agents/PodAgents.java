package io.middleware.engine.cluster.agents;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.api.AgentsByPlugin;
import io.middleware.engine.api.AgentsByPlugin.Agents;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.GroupSpec;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.plugin.Plugin;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.PodState;
import java.time.Duration;
import java.util.Optional;

/**
 * How pods are spoken to: as the Plugin says that they were made with, which their label names. A
 * change to another Plugin finds pods of both.
 */
@FunctionalInterface
public interface PodAgents {
  /** Nobody knows more than the caller. */
  PodAgents UNKNOWN = pod -> Optional.empty();

  /**
   * The agents of this pod; empty when neither its Group nor its Plugin says.
   *
   * @throws io.temporal.failure.ApplicationFailure when they cannot be read now
   */
  Optional<Agents> of(PodState pod);

  /**
   * As the Group has recorded it, or as the Plugin is now.
   *
   * @param client with the engine's own rights
   * @param systemNamespace the namespace of the Plugins
   */
  static PodAgents in(KubernetesClient client, String systemNamespace) {
    return new Recorded(
        client, systemNamespace, CacheBuilder.newBuilder().expireAfterWrite(Recorded.KEPT).build());
  }

  /** Reads each group once in a while: what it says of pods that run does not change. */
  record Recorded(
      KubernetesClient client, String systemNamespace, Cache<Key, Optional<Agents>> known)
      implements PodAgents {
    private static final Duration KEPT = Duration.ofSeconds(10);

    private record Key(String namespace, String group, String plugin) {}

    @Override
    public Optional<Agents> of(PodState pod) {
      var plugin = pod.label(Labels.PLUGIN);
      if (plugin.isEmpty() || pod.label(Labels.GROUP).isEmpty()) {
        return Optional.empty();
      }
      var name =
          Labels.groupName(
              pod.label(Labels.APP), pod.label(Labels.COMPONENT), pod.label(Labels.GROUP));
      var key = new Key(pod.pod().getMetadata().getNamespace(), name, plugin);
      var cached = known.getIfPresent(key);
      if (cached != null) {
        return cached;
      }
      var group = read(key);
      var type = group.map(Group::getSpec).map(GroupSpec::type).orElse("");
      var read =
          group
              .flatMap(it -> AgentsByPlugin.of(it).find(key.plugin()))
              .or(() -> declared(key, type));
      known.put(key, read);
      return read;
    }

    private Optional<Group> read(Key key) {
      return Faults.read(
          "Group " + key.namespace() + "/" + key.group(),
          client.resources(Group.class).inNamespace(key.namespace()).withName(key.group()));
    }

    /**
     * @param type of the pods; empty where nobody knows
     */
    private Optional<Agents> declared(Key key, String type) {
      return Faults.read(
              "Plugin " + key.plugin(),
              client.resources(Plugin.class).inNamespace(systemNamespace).withName(key.plugin()))
          .filter(plugin -> plugin.getSpec() != null)
          .map(plugin -> Agents.of(plugin.getSpec(), type));
    }
  }
}
