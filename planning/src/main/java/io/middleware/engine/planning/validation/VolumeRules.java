package io.middleware.engine.planning.validation;

import static java.util.stream.Collectors.joining;

import io.middleware.engine.api.GroupTemplate;
import io.middleware.engine.api.NamedVolume;
import io.middleware.engine.api.plugin.ComponentType;
import io.middleware.engine.api.plugin.PluginSpec;
import io.middleware.engine.api.plugin.VolumeOffer;
import io.middleware.engine.planning.app.PluginCatalog;
import io.middleware.engine.planning.app.VolumeField;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Checks the volumes that a Plugin has, and that a group asks for those and no others. */
final class VolumeRules {
  private VolumeRules() {}

  /** Of all types, whether the App uses them or not. */
  static List<String> problems(PluginSpec plugin) {
    return new PluginCatalog(plugin)
        .types().stream()
            .flatMap(
                type ->
                    problems(type)
                        .map(
                            problem ->
                                "Plugin %s %s: componentTypes[%s].volumes: %s"
                                    .formatted(
                                        plugin.name(), plugin.version(), type.name(), problem)))
            .toList();
  }

  /** The name of a claim begins with that of its volume, and must say which one it is. */
  private static Stream<String> problems(ComponentType type) {
    var volumes = PluginCatalog.volumes(type);
    var names = volumes.stream().map(VolumeOffer::name).toList();
    var defaults = volumes.stream().filter(PluginCatalog::isDefault).map(VolumeOffer::name);
    var several = defaults.collect(joining(" and "));
    return Stream.concat(
        several.contains(" ")
            ? Stream.of("%s are both default: leave one".formatted(several))
            : Stream.empty(),
        names.stream()
            .flatMap(
                one ->
                    names.stream()
                        .filter(other -> other.startsWith(one + "-"))
                        .map(
                            other ->
                                "%s begins with %s-, so that their claims cannot be told apart: rename one"
                                    .formatted(other, one))));
  }

  /**
   * @param path of the group
   */
  static List<String> problems(String path, GroupTemplate group, ComponentType type) {
    var problems = new ArrayList<String>();
    var asked = new HashSet<String>();
    VolumeField.named(group)
        .map(NamedVolume::name)
        .forEach(
            name ->
                (asked.add(name) ? unknown(name, type) : Optional.of("it is given twice"))
                    .map(problem -> "%s.volumes[%s]: %s".formatted(path, name, problem))
                    .ifPresent(problems::add));
    var volumes = PluginCatalog.volumes(type);
    if (group.storage() != null
        && !volumes.isEmpty()
        && volumes.stream().noneMatch(PluginCatalog::isDefault)) {
      problems.add(
          "%s.storage: type %s has no default volume: give sizes in volumes, of %s"
              .formatted(path, type.name(), names(type)));
    }
    volumes.stream()
        .filter(volume -> Boolean.TRUE.equals(volume.required()))
        .filter(volume -> !isGiven(volume, group, asked))
        .map(
            volume ->
                "%s.%s is missing: type %s needs volume %s"
                    .formatted(
                        path,
                        PluginCatalog.isDefault(volume)
                            ? "storage"
                            : "volumes[%s]".formatted(volume.name()),
                        type.name(),
                        volume.name()))
        .forEach(problems::add);
    return problems;
  }

  private static boolean isGiven(VolumeOffer volume, GroupTemplate group, Set<String> asked) {
    return PluginCatalog.isDefault(volume)
        ? group.storage() != null
        : asked.contains(volume.name());
  }

  private static Optional<String> unknown(String name, ComponentType type) {
    var offer =
        PluginCatalog.volumes(type).stream().filter(it -> it.name().equals(name)).findFirst();
    if (offer.isPresent()) {
      return offer
          .filter(PluginCatalog::isDefault)
          .map(
              it ->
                  "it is the default volume of type %s: give its size in storage"
                      .formatted(type.name()));
    }
    var names = names(type);
    return Optional.of(
        names.isEmpty()
            ? "type %s has no volumes by name: its size is given in storage".formatted(type.name())
            : "type %s has no such volume, only %s".formatted(type.name(), names));
  }

  private static String names(ComponentType type) {
    return PluginCatalog.volumes(type).stream().map(VolumeOffer::name).collect(joining(", "));
  }
}
