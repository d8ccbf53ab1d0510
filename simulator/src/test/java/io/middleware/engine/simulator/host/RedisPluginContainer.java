package io.middleware.engine.simulator.host;

import static java.util.function.Function.identity;
import static java.util.stream.Collectors.toMap;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.middleware.engine.render.RenderContext;
import io.middleware.engine.render.RenderContext.Extras;
import io.middleware.engine.render.RenderContext.Release;
import io.middleware.engine.render.RenderContext.Software;
import io.middleware.engine.render.RenderContext.Subject;
import io.middleware.engine.render.RenderContext.Workload;
import io.middleware.engine.render.SecretReference;
import io.middleware.engine.render.TemplateCompiler;
import io.middleware.engine.render.expression.RenderBudget;
import io.middleware.engine.render.guard.OwnerLabels;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The container {@code redis} of the Redis Plugin of this checkout. */
final class RedisPluginContainer {
  private static final Path PLUGIN = Path.of("../plugins/redis/plugin.yaml");
  private static final Object[] CONTAINER = {"spec", "template", "spec", "containers", 0};
  private static final Map<String, Container> RENDERED = new ConcurrentHashMap<>();

  private RedisPluginContainer() {}

  /**
   * @param runtime the variable {@code runtime.name}
   * @param secrets names of the parameters that name Secrets
   */
  static Container of(String runtime, Set<String> secrets) {
    return RENDERED.computeIfAbsent(runtime + secrets, any -> render(runtime, secrets));
  }

  private static Container render(String runtime, Set<String> secrets) {
    var set = new GenericKubernetesResource();
    set.setAdditionalProperties(
        new TemplateCompiler()
            .compile("redis", statefulSet())
            .render(context(runtime, secrets), new RenderBudget())
            .getFirst());
    return Serialization.unmarshal(Serialization.asYaml(set.get(CONTAINER)), Container.class);
  }

  private static Map<String, ?> statefulSet() {
    try (var file = Files.newInputStream(PLUGIN)) {
      var plugin = Serialization.unmarshal(file, GenericKubernetesResource.class);
      List<Map<String, Map<String, ?>>> templates =
          plugin.get("spec", "componentTypes", 0, "templates");
      return templates.stream()
          .map(one -> one.get("template"))
          .filter(one -> "StatefulSet".equals(one.get("kind")))
          .findFirst()
          .orElseThrow();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static RenderContext context(String runtime, Set<String> secrets) {
    var references =
        secrets.stream().collect(toMap(identity(), it -> new SecretReference(it, it, "1")));
    return new RenderContext(
        new Subject("cache-redis-all", "shop", "cache", "redis", "all"),
        new Software(
            new Release(runtime, "any"),
            new Release("redis", "2.0.0"),
            Map.of("redis", "redis:any", "agent", "agent:any")),
        new Workload(3, Map.of(), Map.of("size", "1Gi"), Map.of(), Map.of()),
        new Extras(Map.of(), Map.of(), Map.of(), Map.of(), references, Map.of()),
        new OwnerLabels("cache", "redis", "all", "redis-v2.0.0"));
  }
}
