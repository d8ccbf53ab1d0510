package io.middleware.engine.planning.app;

import static java.util.Objects.requireNonNull;

import io.middleware.engine.api.AppSpec;
import io.middleware.engine.api.ComponentSpec;
import io.middleware.engine.api.ComponentTemplate;
import io.middleware.engine.api.plugin.PluginSpec;
import io.middleware.engine.render.GroupConfig;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The spec of an App and that of its plugin.
 *
 * @param derived by component, the values that its plugin derives from others
 */
public record DesiredApp(
    String app, AppSpec spec, PluginSpec plugin, Map<String, Map<String, Object>> derived) {
  public DesiredApp {
    requireNonNull(app, "app");
    requireNonNull(spec, "spec");
    requireNonNull(plugin, "plugin");
    derived = Map.copyOf(derived);
  }

  /** One without derived values. */
  public DesiredApp(String app, AppSpec spec, PluginSpec plugin) {
    this(app, spec, plugin, Map.of());
  }

  /**
   * The same with the values that the plugin derives.
   *
   * @param uses the components of other Apps, as expressions see them
   * @throws AppRefusedException when an expression has no value
   */
  public DesiredApp deriving(List<Map<String, Object>> uses) {
    var values = new DerivedValues(plugin, new Siblings(catalog()).of(components().values()), uses);
    Map<String, Map<String, Object>> all = new LinkedHashMap<>();
    components().forEach((name, component) -> all.put(name, values.of(component)));
    return new DesiredApp(app, spec, plugin, all);
  }

  /** The same with another spec. */
  public DesiredApp with(AppSpec other) {
    return new DesiredApp(app, other, plugin, derived);
  }

  public List<ComponentTemplate> templates() {
    return spec.components() == null ? List.of() : spec.components();
  }

  public PluginCatalog catalog() {
    return new PluginCatalog(plugin);
  }

  /** The desired Components by name, in the App's order. */
  public Map<String, ComponentSpec> components() {
    Map<String, ComponentSpec> components = new LinkedHashMap<>();
    templates()
        .forEach(
            template ->
                components.putIfAbsent(
                    template.name(),
                    ComponentSpecs.desired(app, spec, template)
                        .withDerived(derived.get(template.name()))));
    return components;
  }

  /** The type of a component; empty text for one that the App does not have. */
  String typeOf(String component) {
    return templates().stream()
        .filter(template -> template.name().equals(component))
        .map(ComponentSpecs::type)
        .findFirst()
        .orElse("");
  }

  /** Whether a group of the component is to have a volume that it has not had. */
  public boolean addsStorage(ComponentSpec was) {
    var before = ComponentSpecs.byName(was);
    return Optional.ofNullable(components().get(was.component()))
        .map(ComponentSpecs::byName)
        .map(Map::values)
        .stream()
        .flatMap(Collection::stream)
        .filter(group -> before.containsKey(group.name()))
        .flatMap(group -> VolumeEdit.between(before.get(group.name()), group).stream())
        .anyMatch(VolumeEdit::isAddition);
  }

  /** The parameters of a component that running pods can reload. */
  public Set<String> hot(ComponentSpec component) {
    return catalog()
        .type(component.type())
        .map(type -> GroupConfig.hot(plugin, type))
        .orElse(Set.of());
  }

  /** The configurations of all groups. */
  public Stream<Map<String, Object>> configurations() {
    return components().values().stream()
        .flatMap(
            component ->
                ComponentSpecs.byName(component).keySet().stream()
                    .map(group -> config(component, group)));
  }

  /** The values of the groups of a component by name, as rules of the plugin see them. */
  public Map<String, GroupValues> values(
      ComponentSpec component, Collection<ComponentSpec> siblings) {
    Map<String, GroupValues> values = new LinkedHashMap<>();
    var others = new Siblings(catalog()).of(siblings);
    ComponentSpecs.byName(component)
        .forEach(
            (name, group) ->
                values.put(
                    name,
                    new GroupValues(
                        component,
                        group,
                        ComponentSpecs.members(group),
                        config(component, name),
                        others)));
    return values;
  }

  /** The configuration of a group: the plugin's defaults, overridden by the App's values. */
  public Map<String, Object> config(ComponentSpec component, String group) {
    return catalog().config(component, group);
  }
}
