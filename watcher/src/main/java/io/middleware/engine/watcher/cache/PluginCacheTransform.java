package io.middleware.engine.watcher.cache;

import io.middleware.engine.api.Plugin;
import io.middleware.engine.api.PluginSpec;

/** Reduces a Plugin to the settings for reaching its agents. */
public final class PluginCacheTransform {
  private PluginCacheTransform() {}

  public static void reduce(Plugin plugin) {
    ObjectMetaCacheTransform.reduce(plugin);
    if (plugin.getSpec() != null) {
      var agent = plugin.getSpec().agent();
      plugin.setSpec(
          new PluginSpec(null, null, null, null, null, null, null, agent, null, null, null, null));
    }
  }
}
