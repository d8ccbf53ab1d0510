package io.middleware.engine.activities.render;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The configuration parameters of a group, put together from all who may set them. */
public final class ConfigValues {
  private ConfigValues() {}

  /**
   * Parameter by parameter the group's value wins over the component's, and that over the plugin's
   * defaults; a parameter set to null is not set.
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
