package io.middleware.engine.planning;

import io.middleware.engine.api.ComponentSpec;
import io.middleware.engine.api.plugin.PluginSpec;
import io.middleware.engine.api.plugin.RuntimeVersion;
import io.middleware.engine.planning.app.DeployedComponent;
import io.middleware.engine.planning.app.PluginCatalog;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The images that another Plugin has for the version that a component keeps.
 *
 * @param plugin with which the groups are to be rendered
 */
record PlannedImages(PluginSpec plugin, DeployedComponent current, ComponentSpec desired) {

  /**
   * @param groups that exist
   */
  List<String> descriptions(List<String> groups) {
    if (!current.spec().runtime().equals(desired.runtime())) {
      return List.of(); // the upgrade says so
    }
    return groups.stream()
        .flatMap(group -> changed(images(current.plugin(group, plugin)), images(plugin)))
        .distinct()
        .toList();
  }

  private Stream<String> changed(Map<String, String> was, Map<String, String> now) {
    var names = new TreeSet<>(was.keySet());
    names.addAll(now.keySet());
    return names.stream()
        .filter(name -> !Objects.equals(was.get(name), now.get(name)))
        .map(
            name ->
                "image %s of %s: %s → %s (restart)"
                    .formatted(
                        name,
                        desired.component(),
                        was.getOrDefault(name, "(none)"),
                        now.getOrDefault(name, "(none)")));
  }

  private Map<String, String> images(PluginSpec of) {
    return new PluginCatalog(of)
        .runtime(desired.runtime())
        .map(RuntimeVersion::images)
        .map(TreeMap::new)
        .orElseGet(TreeMap::new);
  }
}
