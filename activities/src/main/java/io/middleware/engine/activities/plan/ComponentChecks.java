package io.middleware.engine.activities.plan;

import io.middleware.engine.api.ComponentSpec;
import io.middleware.engine.api.ComponentTemplate;
import io.middleware.engine.api.ComponentType;
import io.middleware.engine.api.GroupTemplate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Whether one component is of a known type, and its groups can become what the App asks for. */
final class ComponentChecks {
  private final DesiredApp wanted;
  private final ObservedApp existing;
  private final List<String> problems = new ArrayList<>();

  private ComponentChecks(DesiredApp wanted, ObservedApp existing) {
    this.wanted = wanted;
    this.existing = existing;
  }

  static List<String> problems(DesiredApp wanted, ObservedApp existing) {
    var checks = new ComponentChecks(wanted, existing);
    wanted.templates().forEach(checks::check);
    return checks.problems;
  }

  private void check(ComponentTemplate component) {
    var name = ComponentSpecs.type(component);
    wanted
        .catalog()
        .type(name)
        .ifPresentOrElse(type -> check(component, type), () -> unknownType(component, name));
  }

  private void unknownType(ComponentTemplate component, String type) {
    problems.add(
        "%s.type: plugin %s %s has no component type %s, only %s"
            .formatted(
                FieldPaths.component(component.name()),
                wanted.plugin().name(),
                wanted.plugin().version(),
                type,
                wanted.catalog().types().stream()
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
    var deployed = existing.component(component.name());
    deployed.ifPresent(was -> compare(component, was.spec(), parameters));
    var groups = deployed.map(DeployedComponent::spec).map(ComponentSpecs::byName).orElse(Map.of());
    ComponentSpecs.groups(component).stream()
        .filter(group -> !groups.containsKey(group.name()))
        .forEach(group -> leftovers(component.name(), group));
  }

  private void compare(ComponentTemplate component, ComponentSpec was, ParameterChecks parameters) {
    var desired = ComponentSpecs.desired(wanted.app(), wanted.spec(), component);
    var field = FieldPaths.component(component.name());
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
                var place = FieldPaths.group(component.name(), name);
                problems.addAll(
                    parameters.immutableEdits(
                        place + ".values", wanted.config(was, name), wanted.config(desired, name)));
                problems.addAll(
                    StorageChecks.problems(place + ".storage", before.get(name), group));
              }
            });
  }

  private void leftovers(String component, GroupTemplate group) {
    existing.claims().stream()
        .filter(claim -> claim.isOf(component, group.name()))
        .flatMap(
            claim ->
                StorageChecks.problems(
                    FieldPaths.group(component, group.name()) + ".storage", claim, group)
                    .stream())
        .forEach(problems::add);
  }
}
