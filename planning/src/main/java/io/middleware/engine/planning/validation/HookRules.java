package io.middleware.engine.planning.validation;

import static java.util.stream.Collectors.joining;

import io.middleware.engine.api.plugin.ActionRunner;
import io.middleware.engine.api.plugin.ComponentType;
import io.middleware.engine.api.plugin.PluginAction;
import io.middleware.engine.api.plugin.PluginSpec;
import io.middleware.engine.api.task.HookPoint;
import io.middleware.engine.planning.app.PluginCatalog;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Checks that the actions that a Plugin's hooks name can be run. */
final class HookRules {
  private HookRules() {}

  /** Of all types, whether the App uses them or not. */
  static List<String> problems(PluginSpec plugin) {
    return new PluginCatalog(plugin)
        .types().stream().flatMap(type -> problems(plugin, type)).toList();
  }

  private static Stream<String> problems(PluginSpec plugin, ComponentType type) {
    return type.hooks() == null
        ? Stream.empty()
        : Arrays.stream(HookPoint.values())
            .flatMap(
                point ->
                    problem(plugin, type, point).stream()
                        .map(
                            problem ->
                                "Plugin %s %s: componentTypes[%s].hooks.%s: %s"
                                    .formatted(
                                        plugin.name(),
                                        plugin.version(),
                                        type.name(),
                                        point.label(),
                                        problem)));
  }

  private static Optional<String> problem(PluginSpec plugin, ComponentType type, HookPoint point) {
    var action = type.hooks().at(point);
    return action.isEmpty() && type.hooks().isFinal(point)
        ? Optional.of("it is in final, and names no action: name one, or remove it from final")
        : action.flatMap(name -> problem(plugin, type, name));
  }

  private static Optional<String> problem(PluginSpec plugin, ComponentType type, String name) {
    var action = PluginCatalog.action(type, name);
    if (action.isEmpty()) {
      var offered =
          PluginCatalog.actions(type).stream().map(PluginAction::name).collect(joining(", "));
      return Optional.of(
          "%s is not an action of this type, whose actions are: %s"
              .formatted(name, offered.isEmpty() ? "none" : offered));
    }
    if (action.get().runs() != null && action.get().runs() != ActionRunner.AGENT) {
      return Optional.of("%s is not run by agents, and a hook must be".formatted(name));
    }
    return plugin.hasAgents()
        ? Optional.empty()
        : Optional.of("the Plugin has no agents, which would run %s".formatted(name));
  }
}
