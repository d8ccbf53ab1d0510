package io.middleware.engine.planning.app;

import io.middleware.engine.api.AppSpec;
import io.middleware.engine.api.ComponentTemplate;
import io.middleware.engine.api.check.Check;
import io.middleware.engine.api.plugin.PluginSpec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The checks of an App's components: those of their types, and those of the App over them. */
public record CheckCatalog(PluginSpec plugin, AppSpec app) {

  /** The checks of a component, each name once. */
  public List<Check> of(String component) {
    Map<String, Check> checks = new LinkedHashMap<>();
    Stream.ofNullable(app.components())
        .flatMap(List::stream)
        .filter(template -> component.equals(template.name()))
        .flatMap(template -> Stream.concat(ofType(template), orNone(template.checks())))
        .forEach(check -> checks.put(check.name(), check));
    return List.copyOf(checks.values());
  }

  private Stream<Check> ofType(ComponentTemplate template) {
    return new PluginCatalog(plugin)
        .type(ComponentSpecs.type(template)).stream().flatMap(type -> orNone(type.checks()));
  }

  private static Stream<Check> orNone(List<Check> checks) {
    return Stream.ofNullable(checks).flatMap(List::stream);
  }
}
