package io.middleware.engine.activities.render;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toUnmodifiableSet;

import com.google.common.hash.Hashing;
import io.middleware.engine.activities.render.guard.ConfigurationHashes;
import io.middleware.engine.api.ComponentType;
import io.middleware.engine.api.GroupSpec;
import io.middleware.engine.api.Parameter;
import io.middleware.engine.api.ParameterEffect;
import io.middleware.engine.api.PluginSpec;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The configuration of a group.
 *
 * @param values of all parameters that are set, by name
 * @param hot the parameters that running pods can reload: none where the plugin has no agents
 */
public record GroupConfig(SortedMap<String, Object> values, Set<String> hot) {
  private static final int MARK_LENGTH = 16;

  public GroupConfig {
    values = new TreeMap<>(values);
    hot = Set.copyOf(hot);
  }

  /**
   * @throws java.util.NoSuchElementException when the plugin lacks the component type
   */
  public static GroupConfig of(PluginSpec plugin, GroupSpec group) {
    var type = GroupRenderer.type(plugin, group.type());
    return new GroupConfig(
        ConfigValues.merge(defaults(type), Map.of(), GroupContext.orEmpty(group.values())),
        hot(plugin, type));
  }

  /** The parameters of the type that the agents of the plugin's pods can put in force. */
  public static Set<String> hot(PluginSpec plugin, ComponentType type) {
    return plugin.agent() == null || plugin.agent().port() == null
        ? Set.of()
        : GroupContext.orEmpty(type.parameters()).stream()
            .filter(parameter -> parameter.effect() == ParameterEffect.HOT)
            .map(Parameter::name)
            .collect(toUnmodifiableSet());
  }

  /** What running pods are to have in force, with values as text. */
  public SortedMap<String, String> reloadable() {
    var reloadable = new TreeMap<String, String>();
    values.forEach(
        (name, value) -> {
          if (hot.contains(name)) {
            reloadable.put(name, value.toString());
          }
        });
    return reloadable;
  }

  /**
   * What pods carry a mark of. Of a Hot parameter only that it is set: a value that comes or goes
   * altogether is nothing that could be reloaded.
   */
  ConfigurationHashes marks() {
    var cold = new TreeMap<>(values);
    cold.replaceAll((name, value) -> hot.contains(name) ? "" : value);
    return new ConfigurationHashes(mark(cold), mark(values));
  }

  private static String mark(Map<String, Object> values) {
    return values.isEmpty()
        ? ""
        : Hashing.sha256()
            .hashString(values.toString(), UTF_8)
            .toString()
            .substring(0, MARK_LENGTH);
  }

  /** The parameters' defaults, and over them the values of the component type. */
  private static Map<String, Object> defaults(ComponentType type) {
    Map<String, Object> defaults = new HashMap<>();
    for (Parameter parameter : GroupContext.orEmpty(type.parameters())) {
      if (parameter.defaultValue() != null) {
        defaults.put(parameter.name(), parameter.defaultValue());
      }
    }
    return ConfigValues.merge(defaults, GroupContext.orEmpty(type.values()), Map.of());
  }
}
