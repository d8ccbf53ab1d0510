package io.middleware.engine.watcher.cache;

import io.middleware.engine.api.Plugin;
import io.middleware.engine.api.PluginSpec;

/** Keeps of a Plugin how its agents are reached. */
public final class PluginCacheTransform {
  private PluginCacheTransform() {}

  public static void cut(Plugin plugin) {
    MetaCacheTransform.cut(plugin);
    if (plugin.getSpec() != null) {
      var agent = plugin.getSpec().agent();
      plugin.setSpec(
          new PluginSpec(null, null, null, null, null, null, null, agent, null, null, null));
    }
  }
}
