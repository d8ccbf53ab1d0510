package io.middleware.engine.activities.kubernetes;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.api.ConfigMapKey;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.Plugin;
import io.middleware.engine.api.PluginRef;
import io.middleware.engine.api.task.FaultKind;

/** Reads Plugins and their template ConfigMaps, from the engine's own namespace only. */
public final class Plugins {
  private final KubernetesClient client;
  private final String namespace;

  /**
   * @param client with the engine's own rights
   * @param namespace the engine's own
   */
  public Plugins(KubernetesClient client, String namespace) {
    this.client = client;
    this.namespace = namespace;
  }

  /**
   * @throws io.temporal.failure.ApplicationFailure of kind INVALID when the Plugin is missing or
   *     cannot be read
   */
  public Plugin read(PluginRef ref) {
    var name = Labels.pluginName(ref.name(), ref.version());
    var plugin =
        Faults.attempt(
            "read Plugin " + name,
            () -> client.resources(Plugin.class).inNamespace(namespace).withName(name).get());
    if (plugin == null || plugin.getSpec() == null) {
      throw Faults.of(
          FaultKind.INVALID,
          "Plugin %s/%s %s"
              .formatted(namespace, name, plugin == null ? "does not exist" : "cannot be read"));
    }
    return plugin;
  }

  /**
   * The text of a template in a ConfigMap.
   *
   * @throws io.temporal.failure.ApplicationFailure of kind INVALID when it is missing
   */
  public String template(ConfigMapKey source) {
    var map =
        Faults.attempt(
            "read ConfigMap " + source.name(),
            () ->
                client
                    .resources(ConfigMap.class)
                    .inNamespace(namespace)
                    .withName(source.name())
                    .get());
    if (map == null || map.getData() == null || !map.getData().containsKey(source.key())) {
      throw Faults.of(
          FaultKind.INVALID,
          "ConfigMap %s/%s with key %s does not exist"
              .formatted(namespace, source.name(), source.key()));
    }
    return map.getData().get(source.key());
  }
}
