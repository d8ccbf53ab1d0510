package io.middleware.engine.activities.resources;

import io.middleware.engine.api.ComponentSpec;
import io.middleware.engine.api.GroupSpec;
import io.middleware.engine.api.plugin.PluginSpec;
import io.middleware.engine.planning.app.ComponentSpecs;
import io.middleware.engine.render.GroupConfig;
import io.middleware.engine.workflows.port.TaskRef;
import io.temporal.failure.ApplicationFailure;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;

/** Compares the values that running pods can reload. */
final class HotValues {
  private final BiFunction<TaskRef, GroupSpec, PluginSpec> plugins;

  /**
   * @param plugins the plugin of a group; may fail
   */
  HotValues(BiFunction<TaskRef, GroupSpec, PluginSpec> plugins) {
    this.plugins = plugins;
  }

  /** Whether both specs certainly have the same Hot values in each group that is in both. */
  boolean areEqual(TaskRef task, Optional<ComponentSpec> before, ComponentSpec after) {
    var groups = ComponentSpecs.byName(after).keySet();
    return before.isPresent()
        && ComponentSpecs.byName(before.get()).keySet().stream()
            .filter(groups::contains)
            .allMatch(
                group ->
                    areEqual(
                        task,
                        ComponentSpecs.groupSpec(before.get(), group),
                        ComponentSpecs.groupSpec(after, group)));
  }

  private boolean areEqual(TaskRef task, GroupSpec before, GroupSpec after) {
    if (Objects.equals(before.plugin(), after.plugin())
        && Objects.equals(before.values(), after.values())) {
      return true; // usually, and without asking for the plugin
    }
    var known = reloadable(task, before);
    return known.isPresent() && known.equals(reloadable(task, after));
  }

  private Optional<Map<String, String>> reloadable(TaskRef task, GroupSpec group) {
    try {
      return Optional.of(GroupConfig.of(plugins.apply(task, group), group).reloadable());
    } catch (ApplicationFailure | NoSuchElementException e) {
      return Optional.empty(); // such as a plugin that was deleted
    }
  }
}
