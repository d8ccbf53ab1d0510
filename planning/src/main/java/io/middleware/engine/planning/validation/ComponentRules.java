package io.middleware.engine.planning.validation;

import io.middleware.engine.api.ComponentSpec;
import io.middleware.engine.api.ComponentTemplate;
import io.middleware.engine.api.GroupTemplate;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.plugin.ComponentType;
import io.middleware.engine.planning.app.ComponentSpecs;
import io.middleware.engine.planning.app.DeployedComponent;
import io.middleware.engine.planning.app.DesiredApp;
import io.middleware.engine.planning.app.FieldPaths;
import io.middleware.engine.planning.app.ObservedApp;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * Checks a component's type and parameters, and whether its groups can change as the App requests.
 */
final class ComponentRules {
  private static final String DERIVED =
      ", which the plugin derives from the components of spec.components and spec.uses: add what is missing there, or set the value";

  private final DesiredApp desiredApp;
  private final ObservedApp observedApp;
  private final List<String> problems = new ArrayList<>();

  private ComponentRules(DesiredApp desiredApp, ObservedApp observedApp) {
    this.desiredApp = desiredApp;
    this.observedApp = observedApp;
  }

  static List<String> problems(DesiredApp desiredApp, ObservedApp observedApp) {
    var checks = new ComponentRules(desiredApp, observedApp);
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
    var parameters = new ParameterRules(type);
    var field = FieldPaths.component(component.name());
    problems.addAll(parameters.problems(field + ".values", component.values()));
    parameters
        .problems(field + ".values", desiredApp.derived().get(component.name()))
        .forEach(problem -> problems.add(problem + DERIVED));
    problems.addAll(AccountRules.problems(component, type));
    for (var group : ComponentSpecs.groups(component)) {
      var groupField = FieldPaths.group(component.name(), group.name());
      problems.addAll(parameters.problems(groupField + ".values", group.values()));
      problems.addAll(PodRules.problems(groupField, group));
      problems.addAll(VolumeRules.problems(groupField, group, type));
    }
    var deployed = observedApp.component(component.name());
    deployed.ifPresent(was -> compare(component, was));
    var groups = deployed.map(DeployedComponent::spec).map(ComponentSpecs::byName).orElse(Map.of());
    ComponentSpecs.groups(component).stream()
        .filter(group -> !hasThem(groups.get(group.name()), group))
        .map(
            group ->
                ResourceRules.problems(FieldPaths.group(component.name(), group.name()), group))
        .forEach(problems::addAll);
  }

  /** An edit of something else goes on. */
  private static boolean hasThem(GroupTemplate deployed, GroupTemplate group) {
    return deployed != null && Objects.equals(deployed.resources(), group.resources());
  }

  private void compare(ComponentTemplate component, DeployedComponent deployed) {
    var was = deployed.spec();
    var desired = ComponentSpecs.desired(desiredApp.app(), desiredApp.spec(), component);
    var field = FieldPaths.component(component.name());
    if (!desired.plugin().name().equals(was.plugin().name())) {
      problems.add(anotherPlugin(desired, was));
      return;
    }
    var isFixed = !observedApp.hasNeverRun(deployed);
    if (isFixed && !desired.type().equals(was.type())) {
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
                if (isFixed) {
                  problems.addAll(
                      new ImmutableRules(desiredApp.plugin(), deployed, desired)
                          .problems(groupField + ".values", name));
                }
                problems.addAll(
                    StorageRules.dropped(desiredApp, observedApp, was, before.get(name), group));
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
}
