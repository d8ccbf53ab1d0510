package io.middleware.engine.planning.app;

import io.middleware.engine.api.AppSpec;
import io.middleware.engine.api.ComponentSpec;
import io.middleware.engine.api.ComponentTemplate;
import io.middleware.engine.api.GroupSpec;
import io.middleware.engine.api.GroupTemplate;
import io.middleware.engine.api.RunState;
import io.middleware.engine.api.placement.PodSettings;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.render.GroupAccount;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.stream.Stream;

/**
 * Builds the specs of Components and Groups from the spec of an App.
 *
 * <p>When a task begins, it copies these fields to its Component:
 *
 * <ul>
 *   <li>VersionUpgrade, Config and Resources copy all inputs of the pod templates together, so that
 *       a change restarts a pod once; except that only VersionUpgrade copies plugin and runtime,
 *       and only Resources copies replicas; the type, which only a Component may change that has
 *       never run, comes with them;
 *   <li>a value that is derived from other components comes with Config, which follows the groups
 *       that are added there, and no earlier;
 *   <li>Provision adds groups with the values of their component; Remove drops groups;
 *   <li>only a new Component is filled from a Backup, and says so until it is provisioned, or until
 *       the App asks for it no longer;
 *   <li>Storage copies the sizes and classes of all volumes, Start and Stop copy the state;
 *   <li>Backup and those of an Operation copy nothing.
 * </ul>
 */
public final class ComponentSpecs {
  private static final BinaryOperator<GroupTemplate> TEMPLATE =
      (current, desired) -> templateFields(current, desired, current.replicas());
  private static final BinaryOperator<GroupTemplate> TEMPLATE_AND_SIZE =
      (current, desired) -> templateFields(current, desired, desired.replicas());
  private static final BinaryOperator<GroupTemplate> STORAGE = ComponentSpecs::storage;

  private ComponentSpecs() {}

  /** The Component that an App requests. */
  public static ComponentSpec desired(String app, AppSpec spec, ComponentTemplate component) {
    return new ComponentSpec(
            app,
            component.name(),
            type(component),
            spec.plugin(),
            spec.runtime(),
            spec.state() == null ? RunState.RUNNING : spec.state(),
            GroupAccount.into(component.values(), component.accounts()),
            groups(component),
            spec.monitoring(),
            spec.backup() == null ? null : spec.backup().ofPods())
        .withAccess(spec.access())
        .restoredFrom(spec.restoreFrom());
  }

  /** The component type, which defaults to the name of the component. */
  public static String type(ComponentTemplate component) {
    return component.type() == null || component.type().isEmpty()
        ? component.name()
        : component.type();
  }

  /** How many pods a group has while it runs. */
  public static int members(GroupTemplate group) {
    return Objects.requireNonNullElse(group.replicas(), 1);
  }

  /** How many pods all groups have while they run. */
  public static int pods(ComponentSpec component) {
    return byName(component).values().stream().mapToInt(ComponentSpecs::members).sum();
  }

  /** The groups that an App requests for a component. */
  public static List<GroupTemplate> groups(ComponentTemplate component) {
    return component.groups() == null ? List.of() : component.groups();
  }

  /**
   * The spec of a Component after a task of this type has begun. Idempotent.
   *
   * @param current null when the Component does not exist yet
   * @param desired null when the App no longer has the component
   */
  public static ComponentSpec carry(ComponentSpec current, ComponentSpec desired, ChangeType type) {
    if (current == null) {
      return desired;
    }
    if (desired == null) {
      return current;
    }
    return switch (type) {
      case VERSION_UPGRADE ->
          spec(current, desired, desired, onto(current, desired, TEMPLATE))
              .withDerived(derivedYet(current, desired));
      case CONFIG -> spec(current, current, desired, onto(current, desired, TEMPLATE));
      case RESOURCES ->
          spec(current, current, desired, onto(current, desired, TEMPLATE_AND_SIZE))
              .withDerived(derivedYet(current, desired));
      case PROVISION -> spec(current, current, desired, withNew(current, desired));
      case REMOVE -> spec(current, current, current, kept(current, desired));
      case STORAGE -> spec(current, current, current, onto(current, desired, STORAGE));
      case START, STOP -> withState(current, desired.state());
      case BACKUP, RESTART, REAPPLY, SWITCHOVER, REBUILD, ROTATE_SECRETS, ACTION, CHECK -> current;
    };
  }

  /**
   * The Group of a Component.
   *
   * @throws NoSuchElementException when the Component does not have it
   */
  public static GroupSpec groupSpec(ComponentSpec component, String group) {
    var template = byName(component).get(group);
    if (template == null) {
      throw new NoSuchElementException(
          "component " + component.component() + " has no group " + group);
    }
    return new GroupSpec(
        component.app(),
        component.component(),
        component.type(),
        group,
        component.plugin(),
        component.runtime(),
        component.state(),
        template.replicas() == null ? Integer.valueOf(1) : template.replicas(),
        template.resources(),
        template.storage(),
        template.volumes(),
        template.affinity(),
        over(over(component.derived(), component.values()), template.values()),
        component.monitoring(),
        component.access(),
        component.backup(),
        restarts(component).get(group),
        component.restoreFrom(),
        template.pods().equals(PodSettings.NONE) ? null : template.pods());
  }

  /** By group, the Operation that restarted it last. */
  public static Map<String, String> restarts(ComponentSpec component) {
    return Objects.requireNonNullElse(component.restarts(), Map.of());
  }

  /** The spec of a Component of which an Operation is about to restart a group. Idempotent. */
  public static ComponentSpec restarted(ComponentSpec current, String group, String operation) {
    var restarts = new TreeMap<>(restarts(current));
    restarts.put(group, operation);
    return current.withRestarts(restarts);
  }

  /** The groups of a Component by name, in its order. */
  public static Map<String, GroupTemplate> byName(ComponentSpec component) {
    Map<String, GroupTemplate> groups = new LinkedHashMap<>();
    if (component.groups() != null) {
      component.groups().forEach(group -> groups.put(group.name(), group));
    }
    return groups;
  }

  private static ComponentSpec spec(
      ComponentSpec identity,
      ComponentSpec software,
      ComponentSpec configuration,
      List<GroupTemplate> groups) {
    return new ComponentSpec(
            identity.app(),
            identity.component(),
            configuration.type(),
            software.plugin(),
            software.runtime(),
            identity.state(),
            configuration.values(),
            groups,
            configuration.monitoring(),
            configuration.backup())
        .withDerived(configuration.derived())
        .withAccess(configuration.access())
        .withRestarts(restartsOf(identity, groups))
        .restoredFrom(identity.restoreFrom() == null ? null : configuration.restoreFrom());
  }

  /** What is derived now keeps the value that it has, whoever has given it. */
  private static Map<String, Object> derivedYet(ComponentSpec current, ComponentSpec desired) {
    var derived = over(desired.derived(), Map.of());
    var before = over(current.values(), current.derived());
    derived.replaceAll((name, value) -> before.getOrDefault(name, value));
    return derived;
  }

  /** A later group of the same name has not been restarted. */
  private static Map<String, String> restartsOf(
      ComponentSpec component, List<GroupTemplate> groups) {
    var restarts = new TreeMap<>(restarts(component));
    restarts.keySet().retainAll(groups.stream().map(GroupTemplate::name).toList());
    return restarts;
  }

  private static List<GroupTemplate> onto(
      ComponentSpec current, ComponentSpec desired, BinaryOperator<GroupTemplate> carried) {
    var desiredGroups = byName(desired);
    return byName(current).values().stream()
        .map(
            group ->
                desiredGroups.containsKey(group.name())
                    ? carried.apply(group, desiredGroups.get(group.name()))
                    : group)
        .toList();
  }

  private static List<GroupTemplate> withNew(ComponentSpec current, ComponentSpec desired) {
    var old = byName(current);
    var added = byName(desired).values().stream().filter(group -> !old.containsKey(group.name()));
    return Stream.concat(old.values().stream(), added).toList();
  }

  private static List<GroupTemplate> kept(ComponentSpec current, ComponentSpec desired) {
    var desiredGroups = byName(desired).keySet();
    return byName(current).values().stream()
        .filter(group -> desiredGroups.contains(group.name()))
        .toList();
  }

  private static GroupTemplate templateFields(
      GroupTemplate current, GroupTemplate desired, Integer replicas) {
    return desired
        .withReplicas(replicas)
        .withStorage(current.storage())
        .withVolumes(current.volumes());
  }

  private static GroupTemplate storage(GroupTemplate current, GroupTemplate desired) {
    return current.withStorage(desired.storage()).withVolumes(desired.volumes());
  }

  private static ComponentSpec withState(ComponentSpec spec, RunState state) {
    return new ComponentSpec(
            spec.app(),
            spec.component(),
            spec.type(),
            spec.plugin(),
            spec.runtime(),
            state,
            spec.values(),
            spec.groups(),
            spec.monitoring(),
            spec.backup())
        .withDerived(spec.derived())
        .withAccess(spec.access())
        .withRestarts(spec.restarts())
        .restoredFrom(spec.restoreFrom());
  }

  private static Map<String, Object> over(Map<String, Object> below, Map<String, Object> above) {
    Map<String, Object> values = new TreeMap<>();
    Stream.of(below, above).filter(layer -> layer != null).forEach(values::putAll);
    return values;
  }
}
