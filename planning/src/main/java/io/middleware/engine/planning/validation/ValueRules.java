package io.middleware.engine.planning.validation;

import io.middleware.engine.api.ComponentSpec;
import io.middleware.engine.api.Reasons;
import io.middleware.engine.api.plugin.ComponentType;
import io.middleware.engine.api.plugin.PluginSpec;
import io.middleware.engine.api.plugin.ValueRule;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.planning.app.DeployedComponent;
import io.middleware.engine.planning.app.DesiredApp;
import io.middleware.engine.planning.app.FieldPaths;
import io.middleware.engine.planning.app.GroupValues;
import io.middleware.engine.planning.app.ObservedApp;
import io.middleware.engine.planning.app.PluginCatalog;
import io.middleware.engine.planning.app.Refusal;
import io.middleware.engine.render.expression.ConditionExpression.UndecidedException;
import io.middleware.engine.render.expression.ValueExpression;
import io.middleware.engine.render.expression.ValueExpression.Purpose;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Refuses an edit that breaks a rule of the Plugin for the values of a group.
 *
 * <p>Rules are about pods that run. So a group of a stopped App must fit the replicas that it will
 * have, and a group of no replicas need not fit anything. What is deployed with the same version of
 * the Plugin, and breaks a rule already, may go on doing so.
 */
final class ValueRules {
  private final DesiredApp desiredApp;
  private final ObservedApp observedApp;
  private final List<String> broken = new ArrayList<>();
  private final List<String> undecided = new ArrayList<>();

  private ValueRules(DesiredApp desiredApp, ObservedApp observedApp) {
    this.desiredApp = desiredApp;
    this.observedApp = observedApp;
  }

  /** Of all types, whether the App uses them or not. */
  static List<String> problems(PluginSpec plugin) {
    return new PluginCatalog(plugin)
        .types().stream()
            .flatMap(type -> named(plugin, type))
            .flatMap(
                rule ->
                    ValueExpression.problems(Purpose.RULE, rule.cel()).stream()
                        .map(problem -> rule.field() + ": " + problem))
            .toList();
  }

  private static Stream<NamedRule> named(PluginSpec plugin, ComponentType type) {
    List<ValueRule> rules = type.rules() == null ? List.of() : type.rules();
    return IntStream.range(0, rules.size())
        .mapToObj(
            i ->
                new NamedRule(
                    "Plugin %s %s: componentTypes[%s].rules[%d].cel"
                        .formatted(plugin.name(), plugin.version(), type.name(), i),
                    rules.get(i).cel(),
                    rules.get(i).message()));
  }

  /** Of an App whose Plugin has no such problems. */
  static Optional<Refusal> refusal(DesiredApp desiredApp, ObservedApp observedApp) {
    var rules = new ValueRules(desiredApp, observedApp);
    desiredApp.components().values().forEach(rules::check);
    return Refusal.of(Reasons.PLUGIN_INVALID, rules.undecided)
        .or(() -> Refusal.of(Reasons.INVALID_SPEC, rules.broken));
  }

  private void check(ComponentSpec desired) {
    var rules =
        desiredApp.catalog().type(desired.type()).stream()
            .flatMap(type -> named(desiredApp.plugin(), type))
            .toList();
    if (rules.isEmpty()) {
      return;
    }
    var deployed = observedApp.component(desired.component()).map(DeployedComponent::spec);
    var before = deployed.map(was -> desiredApp.values(was, observedApp.specs())).orElse(Map.of());
    var hadTheRules = deployed.filter(was -> isOfSameType(was, desired)).isPresent();
    desiredApp
        .values(desired, desiredApp.components().values())
        .forEach(
            (group, values) ->
                rules.stream()
                    .filter(rule -> !hadTheRules || !isBroken(rule, before.get(group)))
                    .forEach(rule -> check(rule, before.get(group), values)));
  }

  private static boolean isOfSameType(ComponentSpec was, ComponentSpec desired) {
    return was.plugin().equals(desired.plugin()) && was.type().equals(desired.type());
  }

  private static boolean isBroken(NamedRule rule, GroupValues before) {
    try {
      return before != null && !rule.holds(before);
    } catch (UndecidedException e) {
      return true;
    }
  }

  /**
   * @param before null for a new group
   */
  private void check(NamedRule rule, GroupValues before, GroupValues desired) {
    var problem =
        "%s: %s"
            .formatted(
                FieldPaths.group(desired.component().component(), desired.group().name()),
                rule.message());
    try {
      if (!rule.holds(desired)) {
        broken.add(problem);
      } else if (keepsReplicasAWhile(before, desired)
          && !rule.holds(desired.with(before.replicas()))) {
        broken.add(
            "%s; it has %d replicas while its values are changed, and %d only afterwards: edit the replicas first, and the values when that change has finished"
                .formatted(problem, before.replicas(), desired.replicas()));
      }
    } catch (UndecidedException e) {
      undecided.add(
          "%s cannot be evaluated for group %s/%s: %s"
              .formatted(
                  rule.field(),
                  desired.component().component(),
                  desired.group().name(),
                  e.getMessage()));
    }
  }

  /** Whether running pods get other values by one task, and their number by a later one. */
  private boolean keepsReplicasAWhile(GroupValues before, GroupValues desired) {
    return before != null
        && !before.component().isStopped()
        && !desired.component().isStopped()
        && before.replicas() != desired.replicas()
        && !before.config().equals(desired.config())
        && isBefore(ChangeType.CONFIG, ChangeType.RESOURCES);
  }

  private boolean isBefore(ChangeType one, ChangeType other) {
    var order = desiredApp.catalog().taskOrder();
    return order.indexOf(one) < order.indexOf(other);
  }

  private record NamedRule(String field, String cel, String message) {
    boolean holds(GroupValues values) throws UndecidedException {
      return values.replicas() == 0
          || ValueExpression.of(Purpose.RULE, cel).holds(values.variables());
    }
  }
}
