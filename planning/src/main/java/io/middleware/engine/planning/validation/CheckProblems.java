package io.middleware.engine.planning.validation;

import static java.util.stream.Collectors.toSet;

import io.middleware.engine.api.check.Check;
import io.middleware.engine.api.plugin.ComponentType;
import io.middleware.engine.planning.app.ComponentSpecs;
import io.middleware.engine.planning.app.DesiredApp;
import io.middleware.engine.planning.app.FieldPaths;
import io.middleware.engine.planning.condition.CheckScopes;
import io.middleware.engine.planning.condition.ConditionProblems;
import io.middleware.engine.planning.condition.EndpointPolicy;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds checks that cannot be carried out, each with its place. */
final class CheckProblems {
  private final DesiredApp desiredApp;
  private final EndpointPolicy endpoints;

  CheckProblems(DesiredApp desiredApp, EndpointPolicy endpoints) {
    this.desiredApp = desiredApp;
    this.endpoints = endpoints;
  }

  /** Of the App's own checks. */
  List<String> inApp() {
    return desiredApp.templates().stream()
        .flatMap(component -> problems(FieldPaths.component(component.name()), component.checks()))
        .toList();
  }

  /** Of the checks of the component types that the App uses. */
  List<String> inPlugin() {
    var used = desiredApp.templates().stream().map(ComponentSpecs::type).collect(toSet());
    return desiredApp.catalog().types().stream()
        .filter(type -> used.contains(type.name()))
        .flatMap(this::problems)
        .toList();
  }

  private Stream<String> problems(ComponentType type) {
    var plugin = desiredApp.plugin();
    var place =
        "Plugin %s %s: componentTypes[%s]".formatted(plugin.name(), plugin.version(), type.name());
    return problems(place, type.checks());
  }

  private Stream<String> problems(String place, List<Check> checks) {
    return Stream.ofNullable(checks)
        .flatMap(List::stream)
        .flatMap(check -> problems("%s.checks[%s]".formatted(place, check.name()), check));
  }

  private Stream<String> problems(String place, Check check) {
    return new ConditionProblems(CheckScopes.of(check), endpoints)
        .ofCheck(place, check.isOfAll(), check.conditions(), withoutAgents());
  }

  private Optional<String> withoutAgents() {
    var plugin = desiredApp.plugin();
    return plugin.hasAgents()
        ? Optional.empty()
        : Optional.of(
            "Plugin %s %s has no agents, which would answer"
                .formatted(plugin.name(), plugin.version()));
  }
}
