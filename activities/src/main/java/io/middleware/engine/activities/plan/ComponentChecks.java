package io.middleware.engine.activities.plan;

import io.middleware.engine.api.ComponentSpec;
import io.middleware.engine.api.ComponentTemplate;
import io.middleware.engine.api.ComponentType;
import io.middleware.engine.api.GroupTemplate;
import io.middleware.engine.api.Labels;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Checks a component's type and parameters, and whether its groups can change as the App requests.
 */
final class ComponentChecks {
  private final DesiredApp desiredApp;
  private final ObservedApp observedApp;
  private final List<String> problems = new ArrayList<>();

  private ComponentChecks(DesiredApp desiredApp, ObservedApp observedApp) {
    this.desiredApp = desiredApp;
    this.observedApp = observedApp;
  }

  static List<String> problems(DesiredApp desiredApp, ObservedApp observedApp) {
    var checks = new ComponentChecks(desiredApp, observedApp);
    desiredApp.templates().forEach(checks::check);
    return checks.problems;
  }

  private void check(ComponentTemplate component) {
    var name = ComponentSpecs.type(component);
    desiredApp
        .catalog()
        .type(name)
        .ifPresentOrElse(type -> check(component, type), () -> unknownType(component, name));
  }

  private void unknownType(ComponentTemplate component, String type) {
    problems.add(
        "%s.type: plugin %s %s has no component type %s, only %s"
            .formatted(
                FieldPaths.component(component.name()),
                desiredApp.plugin().name(),
                desiredApp.plugin().version(),
                type,
                desiredApp.catalog().types().stream()
                    .map(ComponentType::name)
                    .collect(Collectors.joining(", "))));
  }

  private void check(ComponentTemplate component, ComponentType type) {
    var parameters = new ParameterChecks(type);
    var field = FieldPaths.component(component.name());
    problems.addAll(parameters.problems(field + ".values", component.values()));
    for (var group : ComponentSpecs.groups(component)) {
      var groupField = FieldPaths.group(component.name(), group.name());
      problems.addAll(parameters.problems(groupField + ".values", group.values()));
    }
    var deployed = observedApp.component(component.name());
    deployed.ifPresent(was -> compare(component, was.spec(), parameters));
    var groups = deployed.map(DeployedComponent::spec).map(ComponentSpecs::byName).orElse(Map.of());
    ComponentSpecs.groups(component).stream()
        .filter(group -> !groups.containsKey(group.name()))
        .forEach(group -> leftovers(component.name(), group));
  }

  private void compare(ComponentTemplate component, ComponentSpec was, ParameterChecks parameters) {
    var desired = ComponentSpecs.desired(desiredApp.app(), desiredApp.spec(), component);
    var field = FieldPaths.component(component.name());
    if (!desired.plugin().name().equals(was.plugin().name())) {
      problems.add(anotherPlugin(desired, was));
      return;
    }
    if (!desired.type().equals(was.type())) {
      problems.add(
          "%s.type is immutable (it is %s): add a component with another name"
              .formatted(field, was.type()));
      return;
    }
    var before = ComponentSpecs.byName(was);
    ComponentSpecs.byName(desired)
        .forEach(
            (name, group) -> {
              if (before.containsKey(name)) {
                var groupField = FieldPaths.group(component.name(), name);
                problems.addAll(
                    parameters.immutableEdits(
                        groupField + ".values",
                        desiredApp.config(was, name),
                        desiredApp.config(desired, name)));
                problems.addAll(
                    StorageChecks.problems(groupField + ".storage", before.get(name), group));
              }
            });
  }

  /** An edit cannot do that, but an App of the same name as a deleted one. */
  private static String anotherPlugin(ComponentSpec desired, ComponentSpec was) {
    return "spec.plugin.name: %s was made with Plugin %s, which cannot be changed to %s: delete Component %s, or give the App another name"
        .formatted(
            was.component(),
            was.plugin().name(),
            desired.plugin().name(),
            Labels.componentName(was.app(), was.component()));
  }

  private void leftovers(String component, GroupTemplate group) {
    observedApp.volumeClaims().stream()
        .filter(volumeClaim -> volumeClaim.isOf(component, group.name()))
        .flatMap(
            volumeClaim ->
                StorageChecks.problems(
                    FieldPaths.group(component, group.name()) + ".storage", volumeClaim, group)
                    .stream())
        .forEach(problems::add);
  }
}
