package io.middleware.engine.planning.app;

import static java.util.stream.Collectors.toSet;

import io.middleware.engine.api.ComponentSpec;
import io.middleware.engine.api.GroupSpec;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.plugin.PluginSpec;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.render.GroupConfig;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Determines the groups whose running pods have to reload their configuration. */
public final class PlannedReloads {
  /** The types of change that copy values to a Component. */
  private static final Set<ChangeType> CARRIERS =
      Set.of(ChangeType.VERSION_UPGRADE, ChangeType.CONFIG, ChangeType.RESOURCES);

  /**
   * Kept among the unfinished change types when none of them has changed a value that pods can
   * reload. It stays away where that is not known.
   */
  public static final String IN_FORCE = "HotValuesInForce";

  private PlannedReloads() {}

  /** Whether a change of this type, finished or not, can change values. */
  public static boolean bringsValues(ChangeType type) {
    return CARRIERS.contains(type);
  }

  /**
   * @param plugin the plugin of the desired group
   * @param before what the deployed group was rendered from; empty when unknown
   * @param unfinished labels of the unfinished change types of its component, whose values may not
   *     be in force yet; with {@link #IN_FORCE} they are
   */
  public static boolean areWanted(
      PluginSpec plugin, GroupSpec desired, Optional<RenderedFrom> before, Set<String> unfinished) {
    var config = GroupConfig.of(plugin, desired);
    return !config.reloadable().isEmpty()
        && !desired.isStopped()
        && (isInDoubt(unfinished)
            || !before.filter(known -> isInForce(config, desired, known)).isPresent());
  }

  /** What a group was rendered from. */
  public record RenderedFrom(GroupSpec spec, PluginSpec plugin) {}

  /** The Groups that a plan's tasks reload, by name. */
  public static Set<String> of(DesiredApp desiredApp, List<DeployedComponent> deployed) {
    Set<String> reloads = new HashSet<>();
    for (var current : deployed) {
      var desired = desiredApp.components().get(current.component());
      if (desired != null && !current.spec().isStopped()) {
        reloads.addAll(of(desiredApp.plugin(), desired, current));
      }
    }
    return reloads;
  }

  private static Set<String> of(
      PluginSpec plugin, ComponentSpec desired, DeployedComponent current) {
    var unfinished = current.unfinished().stream().map(ChangeType::label).collect(toSet());
    if (current.hotValuesInForce()) {
      unfinished.add(IN_FORCE);
    }
    var was = ComponentSpecs.byName(current.spec()).keySet();
    return ComponentSpecs.byName(desired).keySet().stream()
        .filter(was::contains)
        .filter(
            group ->
                areWanted(
                    plugin,
                    ComponentSpecs.groupSpec(desired, group),
                    Optional.of(
                        new RenderedFrom(
                            ComponentSpecs.groupSpec(current.spec(), group),
                            current.plugin(group, plugin))),
                    unfinished))
        .map(group -> Labels.groupName(desired.app(), desired.component(), group))
        .collect(toSet());
  }

  /** Whether values that pods can reload may not be in force. */
  public static boolean isInDoubt(Set<String> unfinished) {
    return !unfinished.contains(IN_FORCE)
        && CARRIERS.stream().map(ChangeType::label).anyMatch(unfinished::contains);
  }

  /** Another plugin may have other defaults. */
  private static boolean isInForce(GroupConfig config, GroupSpec desired, RenderedFrom before) {
    return desired.plugin().equals(before.spec().plugin())
        && new PluginCatalog(before.plugin()).type(before.spec().type()).isPresent()
        && config.reloadable().equals(GroupConfig.of(before.plugin(), before.spec()).reloadable());
  }
}
