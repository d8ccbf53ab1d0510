package io.middleware.engine.activities.render.guard;

import static java.util.Objects.requireNonNull;

import java.util.Map;
import java.util.TreeMap;

/** The labels that everything made for a group carries, and that tell its pods from all others. */
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
   * Those that stay the same as long as the group exists: fit for selectors and claim templates.
   */
  public Map<String, String> constant() {
    return new TreeMap<>(Map.of(APP, app, COMPONENT, component, GROUP, group));
  }
}
