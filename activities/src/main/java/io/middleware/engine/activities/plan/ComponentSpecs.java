package io.middleware.engine.activities.plan;

import io.middleware.engine.api.AppSpec;
import io.middleware.engine.api.ComponentSpec;
import io.middleware.engine.api.ComponentTemplate;
import io.middleware.engine.api.GroupSpec;
import io.middleware.engine.api.GroupTemplate;
import io.middleware.engine.api.RunState;
import io.middleware.engine.api.task.ChangeType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.stream.Stream;

/**
 * What the engine's own objects say, made from what the App says.
 *
 * <p>Which fields a task carries over to its Component when it begins:
 *
 * <ul>
 *   <li>VersionUpgrade, Config and Resources carry all that pod templates are made from together,
 *       so that a change restarts a pod once; but plugin and runtime come with VersionUpgrade only,
 *       and replicas with Resources only;
 *   <li>Provision adds groups, and what they take from their component; Remove drops groups;
 *   <li>Storage carries storage, Start and Stop the state.
 * </ul>
 */
public final class ComponentSpecs {
  private static final BinaryOperator<GroupTemplate> TEMPLATE =
      (current, desired) -> templateFields(current, desired, current.replicas());
  private static final BinaryOperator<GroupTemplate> TEMPLATE_AND_SIZE =
      (current, desired) -> templateFields(current, desired, desired.replicas());
  private static final BinaryOperator<GroupTemplate> STORAGE = ComponentSpecs::storage;

  private ComponentSpecs() {}

  /** The Component that an App asks for. */
  public static ComponentSpec desired(String app, AppSpec spec, ComponentTemplate component) {
    return new ComponentSpec(
        app,
        component.name(),
        type(component),
        spec.plugin(),
        spec.runtime(),
        spec.state() == null ? RunState.RUNNING : spec.state(),
        component.values(),
        groups(component),
        spec.monitoring(),
        spec.backup());
  }

  /** The component type: its name where the App does not say. */
  public static String type(ComponentTemplate component) {
    return component.type() == null || component.type().isEmpty()
        ? component.name()
        : component.type();
  }

  /** The groups an App asks for; none when it names none. */
  public static List<GroupTemplate> groups(ComponentTemplate component) {
    return component.groups() == null ? List.of() : component.groups();
  }

  /**
   * What a Component says once a task of this type has begun. Carrying the same again changes
   * nothing.
   *
   * @param current null when there is no such Component yet
   * @param desired null when the App does not have the component any more
   */
  public static ComponentSpec carry(ComponentSpec current, ComponentSpec desired, ChangeType type) {
    if (current == null) {
      return desired;
    }
    if (desired == null) {
      return current;
    }
    return switch (type) {
      case VERSION_UPGRADE -> spec(current, desired, desired, onto(current, desired, TEMPLATE));
      case CONFIG -> spec(current, current, desired, onto(current, desired, TEMPLATE));
      case RESOURCES -> spec(current, current, desired, onto(current, desired, TEMPLATE_AND_SIZE));
      case PROVISION -> spec(current, current, desired, withNew(current, desired));
      case REMOVE -> spec(current, current, current, kept(current, desired));
      case STORAGE -> spec(current, current, current, onto(current, desired, STORAGE));
      case START, STOP -> withState(current, desired.state());
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
        template.affinity(),
        over(component.values(), template.values()),
        component.monitoring(),
        component.backup());
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
        identity.type(),
        software.plugin(),
        software.runtime(),
        identity.state(),
        configuration.values(),
        groups,
        configuration.monitoring(),
        configuration.backup());
  }

  private static List<GroupTemplate> onto(
      ComponentSpec current, ComponentSpec desired, BinaryOperator<GroupTemplate> carried) {
    var wanted = byName(desired);
    return byName(current).values().stream()
        .map(
            group ->
                wanted.containsKey(group.name())
                    ? carried.apply(group, wanted.get(group.name()))
                    : group)
        .toList();
  }

  private static List<GroupTemplate> withNew(ComponentSpec current, ComponentSpec desired) {
    var old = byName(current);
    var added = byName(desired).values().stream().filter(group -> !old.containsKey(group.name()));
    return Stream.concat(old.values().stream(), added).toList();
  }

  private static List<GroupTemplate> kept(ComponentSpec current, ComponentSpec desired) {
    var wanted = byName(desired).keySet();
    return byName(current).values().stream()
        .filter(group -> wanted.contains(group.name()))
        .toList();
  }

  private static GroupTemplate templateFields(
      GroupTemplate current, GroupTemplate desired, Integer replicas) {
    return new GroupTemplate(
        current.name(),
        replicas,
        desired.resources(),
        current.storage(),
        desired.affinity(),
        desired.values());
  }

  private static GroupTemplate storage(GroupTemplate current, GroupTemplate desired) {
    return new GroupTemplate(
        current.name(),
        current.replicas(),
        current.resources(),
        desired.storage(),
        current.affinity(),
        current.values());
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
        spec.backup());
  }

  private static Map<String, Object> over(Map<String, Object> below, Map<String, Object> above) {
    Map<String, Object> values = new TreeMap<>();
    Stream.of(below, above).filter(layer -> layer != null).forEach(values::putAll);
    return values;
  }
}
