package io.middleware.engine.planning.app;

import io.middleware.engine.api.ComponentSpec;
import io.middleware.engine.api.plugin.Capability;
import io.middleware.engine.api.plugin.ComponentType;
import io.middleware.engine.api.plugin.Parameter;
import io.middleware.engine.api.plugin.PluginAction;
import io.middleware.engine.api.plugin.PluginSpec;
import io.middleware.engine.api.plugin.RuntimeOffer;
import io.middleware.engine.api.plugin.RuntimeRef;
import io.middleware.engine.api.plugin.RuntimeVersion;
import io.middleware.engine.api.plugin.VolumeOffer;
import io.middleware.engine.api.task.ChangeType;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Looks up what a plugin offers, by name. */
public record PluginCatalog(PluginSpec plugin) {

  /** The component types, in the plugin's order. */
  public List<ComponentType> types() {
    return orNone(plugin.componentTypes());
  }

  /** The component type of this name. */
  public Optional<ComponentType> type(String name) {
    return types().stream().filter(type -> name.equals(type.name())).findFirst();
  }

  /** The types of change to groups that exist, in the order of their tasks. */
  public List<ChangeType> taskOrder() {
    return Stream.concat(
            orNone(plugin.taskOrder()).stream().map(ChangeType::of),
            ChangeType.DEFAULT_ORDER.stream())
        .distinct()
        .toList();
  }

  /** Whether components of this type have data that can be backed up. */
  public boolean hasData(String type) {
    return type(type)
        .filter(it -> it.supports() != null && it.supports().contains(Capability.BACKUP))
        .isPresent();
  }

  /** All versions of all runtimes. */
  public List<RuntimeRef> runtimes() {
    return orNone(plugin.runtimes()).stream()
        .flatMap(
            offer ->
                orNone(offer.versions()).stream()
                    .map(version -> new RuntimeRef(offer.name(), version.version())))
        .toList();
  }

  /** The version of a middleware, if the plugin offers it. */
  public Optional<RuntimeVersion> runtime(RuntimeRef runtime) {
    return orNone(plugin.runtimes()).stream()
        .filter(offer -> runtime.name().equals(offer.name()))
        .flatMap(offer -> orNone(offer.versions()).stream())
        .filter(version -> runtime.version().equals(version.version()))
        .findFirst();
  }

  /**
   * The versions to which a group that has started with this one cannot go back: those that it
   * names, and those to which they cannot go back themselves.
   */
  public Set<RuntimeRef> noWayBackTo(RuntimeRef started) {
    var all = new LinkedHashSet<RuntimeRef>();
    var next = new ArrayDeque<>(List.of(started));
    while (!next.isEmpty()) {
      var version = next.remove();
      runtime(version).map(RuntimeVersion::noWayBackTo).stream()
          .flatMap(List::stream)
          .map(entry -> named(entry, version.name()))
          .filter(all::add)
          .forEach(next::add);
    }
    return all;
  }

  /** Whether the plugin lets Apps go from one version to the other, of whichever runtime. */
  public boolean isUpgrade(RuntimeRef from, RuntimeRef to) {
    return predecessors(to).contains(from);
  }

  /** What may be upgraded to this version. */
  public List<RuntimeRef> predecessors(RuntimeRef to) {
    return runtime(to).map(RuntimeVersion::upgradesFrom).stream()
        .flatMap(List::stream)
        .map(from -> named(from, to.name()))
        .toList();
  }

  /**
   * A version as the entry of a list of the plugin names it.
   *
   * @param entry such as {@code 7.0}, or {@code redis 7.0}
   * @param runtime of an entry that names none
   */
  public static RuntimeRef named(String entry, String runtime) {
    var space = entry.indexOf(' ');
    return space < 0
        ? new RuntimeRef(runtime, entry)
        : new RuntimeRef(entry.substring(0, space), entry.substring(space + 1));
  }

  /** All offered runtimes as text for messages: {@code redis 7.0, 7.2; valkey 8.0}. */
  public String offered() {
    return orNone(plugin.runtimes()).stream()
        .map(PluginCatalog::describe)
        .collect(Collectors.joining("; "));
  }

  /** The parameters of a component type. */
  public static List<Parameter> parameters(ComponentType type) {
    return orNone(type.parameters());
  }

  /** The volumes whose sizes Apps give; none where Apps only give storage. */
  public static List<VolumeOffer> volumes(ComponentType type) {
    return orNone(type.volumes());
  }

  /** Whether its size is given in storage. */
  public static boolean isDefault(VolumeOffer volume) {
    return Boolean.TRUE.equals(volume.isDefault());
  }

  /** The names of the volumes of a type whose sizes are not given in storage. */
  public List<String> namedVolumes(String type) {
    return type(type).stream()
        .flatMap(it -> volumes(it).stream())
        .filter(volume -> !isDefault(volume))
        .map(VolumeOffer::name)
        .toList();
  }

  /** The parameters of an action. */
  public static List<Parameter> parameters(PluginAction action) {
    return orNone(action.parameters());
  }

  /** The actions of a component type. */
  public static List<PluginAction> actions(ComponentType type) {
    return orNone(type.actions());
  }

  /** The action of this name. */
  public static Optional<PluginAction> action(ComponentType type, String name) {
    return actions(type).stream().filter(action -> name.equals(action.name())).findFirst();
  }

  /** The configuration of a group: the defaults, overridden by the values of the component. */
  public Map<String, Object> config(ComponentSpec component, String group) {
    Map<String, Object> config =
        new TreeMap<>(type(component.type()).map(PluginCatalog::defaults).orElse(Map.of()));
    config.putAll(ComponentSpecs.groupSpec(component, group).values());
    return config;
  }

  /** The default values of a component of this type. */
  public static Map<String, Object> defaults(ComponentType type) {
    Map<String, Object> values = new TreeMap<>();
    for (var parameter : parameters(type)) {
      if (parameter.defaultValue() != null) {
        values.put(parameter.name(), parameter.defaultValue());
      }
    }
    if (type.values() != null) {
      values.putAll(type.values());
    }
    return values;
  }

  private static String describe(RuntimeOffer offer) {
    return orNone(offer.versions()).stream()
        .map(RuntimeVersion::version)
        .collect(Collectors.joining(", ", offer.name() + " ", ""));
  }

  private static <T> List<T> orNone(List<T> list) {
    return list == null ? List.of() : list;
  }
}
