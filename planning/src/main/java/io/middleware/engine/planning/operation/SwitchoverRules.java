package io.middleware.engine.planning.operation;

import io.middleware.engine.api.operation.Operation;
import io.middleware.engine.api.plugin.PluginSpec;
import io.middleware.engine.api.task.OperationAction;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Why groups cannot switch over, as far as that is known without asking their agents. */
final class SwitchoverRules {
  private SwitchoverRules() {}

  /**
   * @param groups those that the Operation works on
   */
  static Stream<String> problems(
      Operation operation, PluginSpec plugin, List<RenderedPods> groups) {
    if (operation.getSpec().action() != OperationAction.SWITCHOVER) {
      return Stream.of();
    }
    return groups.stream()
        .flatMap(group -> problem(plugin, group).or(() -> problem(group)).stream())
        .distinct();
  }

  private static Optional<String> problem(PluginSpec plugin, RenderedPods group) {
    if (plugin.switchesOver(group.type())) {
      return Optional.empty();
    }
    return Optional.of(
        Boolean.TRUE.equals(plugin.switchover())
            ? "spec.target: component %s is of type %s, for which Plugin %s %s has switchover: false, so its agents cannot switch over"
                .formatted(group.component(), group.type(), plugin.name(), plugin.version())
            : "spec.action: Plugin %s %s does not have switchover: true, neither for all types nor for %s, so its agents cannot switch over"
                .formatted(plugin.name(), plugin.version(), group.type()));
  }

  private static Optional<String> problem(RenderedPods group) {
    return switch (group.names().size()) {
      case 0 ->
          Optional.of("spec.target: %s has no StatefulSet, so it has no primary".formatted(group));
      case 1 ->
          Optional.of("spec.target: %s has one pod, so no other can take over".formatted(group));
      default -> Optional.empty();
    };
  }
}
