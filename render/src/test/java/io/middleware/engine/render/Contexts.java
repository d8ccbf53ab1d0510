package io.middleware.engine.render;

import static java.util.stream.Collectors.toMap;

import io.middleware.engine.render.RenderContext.Extras;
import io.middleware.engine.render.RenderContext.Release;
import io.middleware.engine.render.RenderContext.Software;
import io.middleware.engine.render.RenderContext.Subject;
import io.middleware.engine.render.RenderContext.Workload;
import io.middleware.engine.render.guard.OwnerLabels;
import java.util.LinkedHashMap;
import java.util.Map;

/** Makes contexts from the variables that templates see, over those of the shared context.yaml. */
public final class Contexts {
  private Contexts() {}

  public static RenderContext standard() {
    return with(Map.of());
  }

  public static RenderContext with(Map<String, ?> overrides) {
    var all = Trees.one(Trees.text(Trees.resources().resolve("context.yaml")));
    all.putAll(overrides);
    var plugin = release(all.get("plugin"));
    return new RenderContext(
        new Subject(
            text(all, "name"),
            text(all, "namespace"),
            text(all, "app"),
            text(all, "component"),
            text(all, "group")),
        new Software(release(all.get("runtime")), plugin, texts(all.get("images"))),
        new Workload(
            (int) all.get("replicas"),
            Trees.tree(all.get("resources")),
            Trees.tree(all.get("storage")),
            volumes(all.getOrDefault("volumes", Map.of())),
            Trees.tree(all.get("affinity")),
            Trees.tree(all.get("config"))),
        new Extras(
            Trees.tree(all.get("monitoring")),
            Trees.tree(all.get("backup")),
            Trees.tree(all.getOrDefault("restore", Map.of())),
            texts(all.getOrDefault("parameters", Map.of())),
            secrets(all.getOrDefault("secrets", Map.of())),
            Trees.tree(all.getOrDefault("access", Map.of()))),
        new OwnerLabels(
            text(all, "app"),
            text(all, "component"),
            text(all, "group"),
            plugin.name() + "-v" + plugin.version()));
  }

  private static Map<String, Map<String, Object>> volumes(Object tree) {
    return Trees.tree(tree).entrySet().stream()
        .collect(toMap(Map.Entry::getKey, volume -> Trees.tree(volume.getValue())));
  }

  private static String text(Map<String, ?> all, String key) {
    return (String) all.get(key);
  }

  private static Release release(Object tree) {
    var map = Trees.tree(tree);
    return new Release(text(map, "name"), text(map, "version"));
  }

  private static Map<String, String> texts(Object tree) {
    Map<String, String> texts = new LinkedHashMap<>();
    Trees.tree(tree).forEach((key, value) -> texts.put(key, (String) value));
    return texts;
  }

  private static Map<String, SecretReference> secrets(Object tree) {
    var secrets = new LinkedHashMap<String, SecretReference>();
    Trees.tree(tree)
        .forEach(
            (name, value) -> {
              var fields = texts(value);
              secrets.put(
                  name,
                  new SecretReference(
                      fields.get("name"), fields.get("key"), fields.get("version")));
            });
    return secrets;
  }
}
