package io.middleware.engine.render;

import io.middleware.engine.api.GroupSpec;
import io.middleware.engine.api.plugin.PluginSpec;

/** What the template variables of groups are made of, besides the groups and their plugin. */
record ContextSources(BackupSources backups, AccessPeers peers) {

  /** The same for one plan: it looks up each store and each backup once. */
  ContextSources forOnePlan() {
    return new ContextSources(new RememberedSources(backups), peers);
  }

  RenderContext context(PluginSpec plugin, String namespace, GroupSpec group, GroupConfig config) {
    var backup = new BackupContext(backups, namespace, group);
    return GroupContext.of(plugin, config, group, backup, peers);
  }
}
