package io.middleware.engine.planning.app;

import io.middleware.engine.api.ComponentSpec;
import io.middleware.engine.api.GroupTemplate;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.plugin.ComponentType;
import io.middleware.engine.api.plugin.Endpoint;
import io.middleware.engine.render.SecretReference;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Components as the expressions of a Plugin see them.
 *
 * @param catalog of the Plugin that they are made with
 */
public record Siblings(PluginCatalog catalog) {

  /** By name, the type of each component and its groups in the App's order. */
  public Map<String, Object> of(Collection<ComponentSpec> components) {
    Map<String, Object> siblings = new TreeMap<>();
    components.forEach(component -> siblings.put(component.component(), of(component)));
    return siblings;
  }

  /** Its type and its groups. */
  public Map<String, Object> of(ComponentSpec component) {
    return Map.of(
        "type",
        component.type(),
        "groups",
        ComponentSpecs.byName(component).values().stream()
            .map(group -> group(component, group))
            .toList());
  }

  private Map<String, Object> group(ComponentSpec component, GroupTemplate group) {
    var name = Labels.groupName(component.app(), component.component(), group.name());
    var values = ComponentSpecs.groupSpec(component, group.name()).values();
    return Map.of(
        "group",
        group.name(),
        "name",
        name,
        "replicas",
        ComponentSpecs.members(group),
        "services",
        catalog.type(component.type()).map(ComponentType::endpoints).stream()
            .flatMap(List::stream)
            .filter(it -> it.tls() == null || SecretReference.of(values.get(it.tls())).isPresent())
            .map(endpoint -> service(name, endpoint))
            .toList());
  }

  private static Map<String, Object> service(String group, Endpoint endpoint) {
    return Map.of(
        "endpoint", endpoint.name(),
        "name", group + "-" + endpoint.name(),
        "port", endpoint.port());
  }
}
