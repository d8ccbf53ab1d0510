package io.middleware.engine.watcher.cache;

import io.middleware.engine.api.plugin.ComponentType;
import io.middleware.engine.api.plugin.Plugin;
import io.middleware.engine.api.plugin.PluginSpec;
import java.util.List;
import java.util.stream.Stream;

/** Reduces a Plugin to the settings for reaching its agents, and to its actions. */
public final class PluginCacheTransform {
  private PluginCacheTransform() {}

  public static void reduce(Plugin plugin) {
    ObjectMetaCacheTransform.reduce(plugin);
    if (plugin.getSpec() != null) {
      var spec = plugin.getSpec();
      plugin.setSpec(
          new PluginSpec(
              null,
              null,
              null,
              null,
              null,
              null,
              null,
              spec.agent(),
              null,
              null,
              null,
              actions(spec)));
    }
  }

  private static List<ComponentType> actions(PluginSpec spec) {
    return Stream.ofNullable(spec.componentTypes())
        .flatMap(List::stream)
        .map(ComponentType::withActionsOnly)
        .toList();
  }
}
