package io.middleware.engine.render.guard;

import static java.util.Objects.requireNonNull;

import java.util.Map;
import java.util.TreeMap;

/** The labels of all objects of a group, which also select its pods. */
public record OwnerLabels(String app, String component, String group, String plugin) {
  public static final String APP = "middleware.io/app";
  public static final String COMPONENT = "middleware.io/component";
  public static final String GROUP = "middleware.io/group";
  public static final String PLUGIN = "middleware.io/plugin";

  public OwnerLabels {
    requireNonNull(app, "app");
    requireNonNull(component, "component");
    requireNonNull(group, "group");
    requireNonNull(plugin, "plugin");
  }

  public Map<String, String> all() {
    var labels = new TreeMap<>(constant());
    labels.put(PLUGIN, plugin);
    return labels;
  }

  /**
   * The labels that never change during the life of the group, for selectors and volume claim
   * templates.
   */
  public Map<String, String> constant() {
    return new TreeMap<>(Map.of(APP, app, COMPONENT, component, GROUP, group));
  }
}
