package io.middleware.engine.render;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Merges the configuration parameters of a group from their sources. */
public final class ConfigValues {
  private ConfigValues() {}

  /**
   * For each parameter the group's value overrides the component's, which overrides the plugin's
   * default. A null counts as not set.
   */
  public static SortedMap<String, Object> merge(
      Map<String, ?> pluginDefaults, Map<String, ?> component, Map<String, ?> group) {
    SortedMap<String, Object> merged = new TreeMap<>();
    for (var values : List.of(pluginDefaults, component, group)) {
      values.forEach(
          (key, value) -> {
            if (value != null) {
              merged.put(key, value);
            }
          });
    }
    return merged;
  }
}
