package io.middleware.engine.planning.app;

import io.middleware.engine.api.ComponentSpec;
import io.middleware.engine.api.GroupTemplate;
import io.middleware.engine.api.Labels;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/** The components of an App, as the expressions of its Plugin see them. */
public final class Siblings {
  private Siblings() {}

  /** By name, the type of each component and its groups in the App's order. */
  public static Map<String, Object> of(Collection<ComponentSpec> components) {
    Map<String, Object> siblings = new TreeMap<>();
    components.forEach(
        component ->
            siblings.put(
                component.component(),
                Map.of(
                    "type",
                    component.type(),
                    "groups",
                    ComponentSpecs.byName(component).values().stream()
                        .map(group -> group(component, group))
                        .toList())));
    return siblings;
  }

  private static Map<String, Object> group(ComponentSpec component, GroupTemplate group) {
    return Map.of(
        "group",
        group.name(),
        "name",
        Labels.groupName(component.app(), component.component(), group.name()),
        "replicas",
        ComponentSpecs.members(group));
  }
}
