package io.middleware.engine.planning.app;

import io.middleware.engine.api.ComponentSpec;
import io.middleware.engine.api.Reasons;
import io.middleware.engine.api.plugin.ComponentType;
import io.middleware.engine.api.plugin.Parameter;
import io.middleware.engine.api.plugin.PluginSpec;
import io.middleware.engine.render.expression.ConditionExpression.UndecidedException;
import io.middleware.engine.render.expression.ValueExpression;
import io.middleware.engine.render.expression.ValueExpression.Purpose;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The values that a Plugin derives from other components, where the App sets none.
 *
 * @param components those of the App, as {@link Siblings} gives them
 * @param uses those of other Apps
 */
public record DerivedValues(
    PluginSpec plugin, Map<String, Object> components, List<Map<String, Object>> uses) {

  /** Why expressions of the Plugin cannot be used, of all types. */
  public static List<String> problems(PluginSpec plugin) {
    return new PluginCatalog(plugin)
        .types().stream()
            .flatMap(type -> Stream.concat(unusable(plugin, type), ofActions(type)))
            .toList();
  }

  private static Stream<String> unusable(PluginSpec plugin, ComponentType type) {
    return derived(type)
        .flatMap(
            parameter ->
                ValueExpression.problems(Purpose.DERIVED, parameter.derived()).stream()
                    .map(problem -> field(plugin, type, parameter) + ": " + problem));
  }

  private static Stream<String> ofActions(ComponentType type) {
    return PluginCatalog.actions(type).stream()
        .flatMap(
            action ->
                PluginCatalog.parameters(action).stream()
                    .filter(parameter -> parameter.derived() != null)
                    .map(
                        parameter ->
                            "componentTypes[%s].actions[%s].parameters[%s] is derived, which only parameters of the component type can be"
                                .formatted(type.name(), action.name(), parameter.name())));
  }

  /**
   * Those of one component.
   *
   * @throws AppRefusedException when an expression cannot be used, or has no value
   */
  Map<String, Object> of(ComponentSpec component) {
    Map<String, Object> values = new TreeMap<>();
    new PluginCatalog(plugin)
        .type(component.type())
        .ifPresent(
            type ->
                derived(type)
                    .filter(parameter -> isAsked(component, parameter.name()))
                    .forEach(
                        parameter ->
                            value(component, type, parameter)
                                .ifPresent(value -> values.put(parameter.name(), value))));
    return values;
  }

  private static Stream<Parameter> derived(ComponentType type) {
    return PluginCatalog.parameters(type).stream().filter(it -> it.derived() != null);
  }

  private static boolean isAsked(ComponentSpec component, String name) {
    return !has(component.values(), name)
        && ComponentSpecs.byName(component).values().stream()
            .anyMatch(group -> !has(group.values(), name));
  }

  private static boolean has(Map<String, Object> values, String name) {
    return values != null && values.get(name) != null;
  }

  private Optional<Object> value(ComponentSpec component, ComponentType type, Parameter parameter) {
    try {
      return ValueExpression.of(Purpose.DERIVED, parameter.derived())
          .scalar(
              Map.of(
                  "app", component.app(),
                  "component", component.component(),
                  "runtime", runtime(component),
                  "components", components,
                  "uses", uses));
    } catch (UndecidedException | IllegalArgumentException e) {
      throw new AppRefusedException(
          Reasons.PLUGIN_INVALID,
          "%s has no value for component %s: %s; set %s in its values"
              .formatted(
                  field(plugin, type, parameter),
                  component.component(),
                  Objects.requireNonNullElse(e.getMessage(), ""),
                  parameter.name()));
    }
  }

  private static Map<String, Object> runtime(ComponentSpec component) {
    return Map.of("name", component.runtime().name(), "version", component.runtime().version());
  }

  private static String field(PluginSpec plugin, ComponentType type, Parameter parameter) {
    return "Plugin %s %s: componentTypes[%s].parameters[%s].derived"
        .formatted(plugin.name(), plugin.version(), type.name(), parameter.name());
  }
}
