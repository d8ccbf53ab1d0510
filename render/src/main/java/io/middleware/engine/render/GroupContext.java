package io.middleware.engine.render;

import static java.util.stream.Collectors.toMap;

import io.middleware.engine.api.GroupSpec;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.Monitoring;
import io.middleware.engine.api.NamedVolume;
import io.middleware.engine.api.Resources;
import io.middleware.engine.api.Storage;
import io.middleware.engine.api.plugin.PluginSpec;
import io.middleware.engine.api.plugin.RuntimeRef;
import io.middleware.engine.render.RenderContext.Extras;
import io.middleware.engine.render.RenderContext.Release;
import io.middleware.engine.render.RenderContext.Software;
import io.middleware.engine.render.RenderContext.Subject;
import io.middleware.engine.render.RenderContext.Workload;
import io.middleware.engine.render.guard.OwnerLabels;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;

/** Builds the template variables of a group from the group and its plugin. */
final class GroupContext {
  private GroupContext() {}

  static RenderContext of(
      PluginSpec plugin,
      GroupConfig config,
      GroupSpec group,
      BackupContext backups,
      AccessPeers peers) {
    return new RenderContext(
        new Subject(
            Labels.groupName(group.app(), group.component(), group.group()),
            backups.namespace(),
            group.app(),
            group.component(),
            group.group()),
        new Software(
            new Release(group.runtime().name(), group.runtime().version()),
            new Release(plugin.name(), plugin.version()),
            images(plugin, group.runtime())),
        new Workload(
            group.isStopped() ? 0 : group.replicas(),
            resources(group.resources()),
            storage(group.storage()),
            volumes(group),
            group.affinity(),
            config.values()),
        new Extras(monitoring(group.monitoring()), backups.backup(), backups.restore())
            .with(config.secrets())
            .withAccess(peers.of(group)),
        new OwnerLabels(
            group.app(),
            group.component(),
            group.group(),
            Labels.pluginName(plugin.name(), plugin.version())));
  }

  static <T> List<T> orEmpty(List<T> list) {
    return list == null ? List.of() : list;
  }

  static <V> Map<String, V> orEmpty(Map<String, V> map) {
    return map == null ? Map.of() : map;
  }

  private static Map<String, String> images(PluginSpec plugin, RuntimeRef runtime) {
    return orEmpty(plugin.runtimes()).stream()
        .filter(offer -> runtime.name().equals(offer.name()))
        .flatMap(offer -> orEmpty(offer.versions()).stream())
        .filter(version -> runtime.version().equals(version.version()))
        .findFirst()
        .orElseThrow(
            () ->
                new NoSuchElementException(
                    "plugin %s %s does not offer runtime %s %s"
                        .formatted(
                            plugin.name(), plugin.version(), runtime.name(), runtime.version())))
        .images();
  }

  private static Map<String, Object> resources(Resources resources) {
    return resources == null
        ? Map.of()
        : present("requests", resources.requests(), "limits", resources.limits());
  }

  private static Map<String, Object> storage(Storage storage) {
    return storage == null
        ? Map.of()
        : present("size", storage.size(), "storageClassName", storage.storageClassName());
  }

  private static Map<String, Map<String, Object>> volumes(GroupSpec group) {
    return orEmpty(group.volumes()).stream()
        .collect(toMap(NamedVolume::name, volume -> storage(volume.storage())));
  }

  private static Map<String, Object> monitoring(Monitoring monitoring) {
    if (monitoring == null) {
      return Map.of();
    }
    var known = present("port", monitoring.port(), "interval", monitoring.interval());
    known.put("enabled", Boolean.TRUE.equals(monitoring.enabled()));
    return known;
  }

  private static Map<String, Object> present(
      String first, Object firstValue, String second, Object secondValue) {
    Map<String, Object> map = new HashMap<>();
    if (firstValue != null) {
      map.put(first, firstValue);
    }
    if (secondValue != null) {
      map.put(second, secondValue);
    }
    return map;
  }
}
