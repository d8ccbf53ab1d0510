package io.middleware.engine.planning.operation;

import io.middleware.engine.api.operation.Operation;
import io.middleware.engine.api.plugin.PluginSpec;
import io.middleware.engine.api.task.OperationAction;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Why pods of groups cannot be rebuilt, as far as that is known without reading them. */
final class RebuildRules {
  private RebuildRules() {}

  /**
   * @param groups those of the named pods
   */
  static Stream<String> problems(
      Operation operation, PluginSpec plugin, List<RenderedPods> groups) {
    if (operation.getSpec().action() != OperationAction.REBUILD) {
      return Stream.of();
    }
    return Stream.concat(
        withoutAgents(plugin).stream(), groups.stream().flatMap(group -> problem(group).stream()));
  }

  private static Optional<String> withoutAgents(PluginSpec plugin) {
    return plugin.hasAgents()
        ? Optional.empty()
        : Optional.of(
            "spec.action: Plugin %s %s has no agents, so the engine cannot tell replicas from the primary"
                .formatted(plugin.name(), plugin.version()));
  }

  private static Optional<String> problem(RenderedPods group) {
    if (group.names().size() == 1) {
      return Optional.of(
          "spec.target.pods: %s has one pod, which is the last copy of its data".formatted(group));
    }
    return group.haveVolumes()
        ? Optional.empty()
        : Optional.of("spec.target.pods: %s has no volumes: use Restart".formatted(group));
  }
}
