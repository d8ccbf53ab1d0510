package io.middleware.engine.planning.validation;

import io.middleware.engine.api.ComponentTemplate;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.plugin.ComponentType;
import io.middleware.engine.api.plugin.Endpoint;
import io.middleware.engine.planning.app.ComponentSpecs;
import io.middleware.engine.planning.app.DesiredApp;
import io.middleware.engine.planning.app.FieldPaths;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Checks that the object names of components and groups are unique and short enough, and so are
 * those of the Services for applications.
 */
final class NameRules {
  /**
   * A pod has a label with the name of its StatefulSet and a hash; labels have at most 63
   * characters.
   */
  private static final int LONGEST = 52;

  private NameRules() {}

  static List<String> problems(DesiredApp desiredApp) {
    var problems = new ArrayList<String>();
    var components = new HashSet<String>();
    Map<String, String> objects = new HashMap<>();
    for (var component : desiredApp.templates()) {
      if (!components.add(component.name())) {
        problems.add("spec.components: two components are named " + component.name());
      } else {
        problems.addAll(groups(desiredApp, component, objects));
      }
    }
    return problems;
  }

  private static List<String> groups(
      DesiredApp desiredApp, ComponentTemplate component, Map<String, String> objects) {
    var services = services(desiredApp, component);
    var problems = new ArrayList<String>();
    for (var group : ComponentSpecs.groups(component)) {
      var field = FieldPaths.group(component.name(), group.name());
      var object = Labels.groupName(desiredApp.app(), component.name(), group.name());
      Stream.concat(Stream.of(object), services.stream().map(end -> object + "-" + end))
          .flatMap(name -> twin(objects, name, field).stream())
          .forEach(problems::add);
      if (object.length() > LONGEST) {
        problems.add(
            "%s: its objects would be named %s, which is longer than %d characters: shorten a name"
                .formatted(field, object, LONGEST));
      }
    }
    return problems;
  }

  private static Optional<String> twin(Map<String, String> objects, String name, String field) {
    return Optional.ofNullable(objects.putIfAbsent(name, field))
        .map(
            other ->
                "%s: its objects would be named %s, the same as those of %s: rename it"
                    .formatted(field, name, other));
  }

  /** The ends of the names of a group's Services for applications. */
  private static List<String> services(DesiredApp desiredApp, ComponentTemplate component) {
    return desiredApp
        .catalog()
        .type(ComponentSpecs.type(component))
        .map(ComponentType::endpoints)
        .orElse(List.of())
        .stream()
        .map(Endpoint::name)
        .toList();
  }
}
