package io.middleware.engine.activities.plan;

import static java.util.stream.Collectors.toSet;

import io.middleware.engine.activities.conditions.EndpointPolicy;
import io.middleware.engine.activities.conditions.SourceProblems;
import io.middleware.engine.activities.render.CheckExpression;
import io.middleware.engine.activities.render.CheckScope;
import io.middleware.engine.api.Check;
import io.middleware.engine.api.CheckCondition;
import io.middleware.engine.api.CheckPoint;
import io.middleware.engine.api.ComponentType;
import io.middleware.engine.api.PrometheusCondition;
import java.util.List;
import java.util.stream.IntStream;
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
    var scope = CheckScope.of(check.isAfter(CheckPoint.GROUP));
    var list = place + (check.isOfAll() ? ".allOf" : ".anyOf");
    var conditions = check.conditions();
    return IntStream.range(0, conditions.size())
        .boxed()
        .flatMap(i -> problems("%s[%d]".formatted(list, i), scope, conditions.get(i)));
  }

  private Stream<String> problems(String place, CheckScope scope, CheckCondition condition) {
    if (condition.webhook() != null) {
      return SourceProblems.of(place + ".webhook", condition.webhook(), endpoints);
    }
    if (condition.prometheus() != null) {
      return ofQuery(place + ".prometheus", scope, condition.prometheus());
    }
    var agent = condition.agent();
    if (agent == null) {
      return expression(place + ".cel", scope, condition.cel());
    }
    return Stream.concat(
        expression(place + ".agent.cel", scope.answered(), agent.cel()),
        withoutAgents(place + ".agent"));
  }

  private Stream<String> ofQuery(String place, CheckScope scope, PrometheusCondition condition) {
    return Stream.concat(
        SourceProblems.of(place, condition, scope.texts(), endpoints),
        expression(place + ".cel", scope.sampled(), condition.cel()));
  }

  private static Stream<String> expression(String place, CheckScope scope, String text) {
    return CheckExpression.problems(scope, text).stream().map(problem -> place + " " + problem);
  }

  private Stream<String> withoutAgents(String place) {
    var plugin = desiredApp.plugin();
    return plugin.hasAgents()
        ? Stream.empty()
        : Stream.of(
            "%s: Plugin %s %s has no agents, which would answer"
                .formatted(place, plugin.name(), plugin.version()));
  }
}
