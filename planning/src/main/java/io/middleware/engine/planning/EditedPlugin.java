package io.middleware.engine.planning;

import io.middleware.engine.api.plugin.PluginSpec;
import io.middleware.engine.planning.app.ComponentSpecs;
import io.middleware.engine.planning.app.DeployedComponent;
import io.middleware.engine.planning.app.FieldPaths;
import io.middleware.engine.planning.validation.EditedAgents;
import io.middleware.engine.planning.validation.ImmutableRules;
import io.middleware.engine.render.guard.RenderedObject;
import java.util.List;
import java.util.stream.Stream;

/** What keeps an Operation from writing groups anew whose Plugin was edited under its version. */
final class EditedPlugin {
  private EditedPlugin() {}

  /**
   * @param rendered the objects of the groups that are written
   */
  static List<String> problems(
      PluginSpec plugin, List<DeployedComponent> components, List<RenderedObject> rendered) {
    return Stream.of(
            EditedAgents.problems(plugin, components).stream(),
            components.stream().flatMap(component -> values(plugin, component)),
            ReplacedObjects.problems(components, rendered).stream())
        .flatMap(problems -> problems)
        .toList();
  }

  private static Stream<String> values(PluginSpec plugin, DeployedComponent component) {
    var rules = new ImmutableRules(plugin, component, component.spec());
    return ComponentSpecs.byName(component.spec()).keySet().stream()
        .flatMap(
            group ->
                rules
                    .problems(FieldPaths.group(component.component(), group) + ".values", group)
                    .stream());
  }
}
