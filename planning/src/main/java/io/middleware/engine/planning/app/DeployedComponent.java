package io.middleware.engine.planning.app;

import static java.util.Objects.requireNonNull;

import io.middleware.engine.api.Component;
import io.middleware.engine.api.ComponentSpec;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.plugin.PluginSpec;
import io.middleware.engine.api.task.ChangeType;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A Component that exists.
 *
 * @param unfinished types of change that began and did not finish
 * @param hotValuesInForce whether they certainly changed no value that pods can reload
 * @param everFinished false until its first provisioning has finished
 * @param leftBehind whether a deleted App of the same name had it, and this one takes it over
 * @param groups by name, what was rendered and applied of them
 * @param noWayBack what keeps it from going back to a version that it had
 */
public record DeployedComponent(
    ComponentSpec spec,
    Set<ChangeType> unfinished,
    boolean hotValuesInForce,
    boolean everFinished,
    boolean leftBehind,
    Map<String, DeployedGroup> groups,
    NoWayBack noWayBack) {
  /** Beside the types that began: the first provisioning of the Component has not finished. */
  public static final String NEVER_FINISHED = "NeverFinished";

  public DeployedComponent {
    requireNonNull(spec, "spec");
    unfinished = Set.copyOf(unfinished);
    groups = Map.copyOf(groups);
  }

  /**
   * @param groups by name, what was rendered and applied of them
   */
  public static DeployedComponent of(Component component, Map<String, DeployedGroup> groups) {
    var unfinished = unfinished(component);
    var generation = component.getMetadata().getGeneration();
    var untouched = generation != null && generation == 1;
    return new DeployedComponent(
        component.getSpec(),
        unfinished,
        labels(component).contains(PlannedReloads.IN_FORCE),
        !(labels(component).contains(NEVER_FINISHED)
            || untouched && unfinished.contains(ChangeType.PROVISION)),
        false,
        groups,
        NoWayBack.of(component));
  }

  public String component() {
    return spec.component();
  }

  /**
   * The Plugin with which a group was rendered.
   *
   * @param otherwise for a group that was not written, or of which nobody knows it any more
   */
  public PluginSpec plugin(String group, PluginSpec otherwise) {
    return Optional.ofNullable(groups.get(group)).flatMap(DeployedGroup::plugin).orElse(otherwise);
  }

  /**
   * The configuration with which a group was rendered.
   *
   * @param otherwise as of {@link #plugin}
   */
  public Map<String, Object> config(String group, PluginSpec otherwise) {
    return new PluginCatalog(plugin(group, otherwise)).config(spec, group);
  }

  /** The same without an owner. */
  public DeployedComponent asLeftBehind() {
    return new DeployedComponent(
        spec, unfinished, hotValuesInForce, everFinished, true, groups, noWayBack);
  }

  /** Whether an upgrade of it began and did not finish. */
  public boolean isBeingUpgraded() {
    return unfinished.contains(ChangeType.VERSION_UPGRADE);
  }

  /** The same with its groups as these say. */
  public DeployedComponent with(Map<String, DeployedGroup> known) {
    return new DeployedComponent(
        spec, unfinished, hotValuesInForce, everFinished, leftBehind, known, noWayBack);
  }

  /**
   * The same for work that runs beside changes: their marks say nothing, but that it has no pods
   * yet, or will have none.
   */
  public DeployedComponent besideChanges() {
    var coming = EnumSet.of(ChangeType.PROVISION, ChangeType.REMOVE);
    coming.retainAll(unfinished);
    return new DeployedComponent(
        spec, coming, hotValuesInForce, everFinished, leftBehind, groups, noWayBack);
  }

  private static Set<ChangeType> unfinished(Component component) {
    var labels = labels(component);
    var types = EnumSet.noneOf(ChangeType.class);
    Arrays.stream(ChangeType.values())
        .filter(type -> labels.contains(type.label()))
        .forEach(types::add);
    return types;
  }

  private static List<String> labels(Component component) {
    var annotations = component.getMetadata().getAnnotations();
    var marks = annotations == null ? null : annotations.get(Labels.UNFINISHED);
    return marks == null ? List.of() : Arrays.stream(marks.split(",")).map(String::strip).toList();
  }
}
