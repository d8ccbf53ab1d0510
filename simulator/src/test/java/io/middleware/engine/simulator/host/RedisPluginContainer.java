package io.middleware.engine.simulator.host;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The container {@code redis} of the Redis Plugin of this checkout. */
final class RedisPluginContainer {
  private static final Path PLUGIN = Path.of("../plugins/redis/plugin.yaml");
  private static final Object[] CONTAINER = {"spec", "template", "spec", "containers", 0};

  private RedisPluginContainer() {}

  /**
   * Its command, arguments, variables, hook and mounts.
   *
   * @param runtime the variable {@code runtime.name}
   */
  static Container read(String runtime) throws IOException {
    try (var file = Files.newInputStream(PLUGIN)) {
      var plugin = Serialization.unmarshal(file, GenericKubernetesResource.class);
      List<Map<String, Object>> templates = plugin.get("spec", "componentTypes", 0, "templates");
      var set = new GenericKubernetesResource();
      templates.stream()
          .map(one -> Serialization.unmarshal(Serialization.asYaml(one.get("template")), Map.class))
          .filter(one -> "StatefulSet".equals(one.get("kind")))
          .forEach(one -> set.setAdditionalProperty("spec", one.get("spec")));
      Map<String, Object> container = set.get(CONTAINER);
      container.keySet().removeAll(List.of("image", "resources")); // filled in by the engine
      return Serialization.unmarshal(
          Serialization.asYaml(container).replace("${runtime.name}", runtime).replace("$${", "${"),
          Container.class);
    }
  }
}
