package io.middleware.engine.planning.operation;

import io.middleware.engine.api.operation.Operation;
import io.middleware.engine.api.plugin.PluginSpec;
import io.middleware.engine.api.task.OperationAction;
import io.middleware.engine.planning.app.DeployedComponent;
import java.util.List;
import java.util.stream.Stream;

/** The components whose secrets are rotated, and why they cannot be. */
public final class RotationRules {
  private RotationRules() {}

  /**
   * Of these components, those with a secret of their own; for another action, all.
   *
   * @param targeted by the Operation
   * @param all of the App
   */
  public static List<DeployedComponent> rotating(
      Operation operation,
      PluginSpec plugin,
      List<DeployedComponent> targeted,
      List<DeployedComponent> all) {
    if (!isRotation(operation)) {
      return targeted;
    }
    var names = all.stream().map(DeployedComponent::component).toList();
    return targeted.stream()
        .filter(it -> !RotatedValues.of(it.spec(), plugin).own(names).uses().isEmpty())
        .toList();
  }

  /**
   * @param components that are left of those that the Operation targets
   */
  public static List<String> problems(
      Operation operation, PluginSpec plugin, List<DeployedComponent> components) {
    if (!isRotation(operation)) {
      return List.of();
    }
    return components.isEmpty()
        ? List.of(
            "spec.target: no secret can be rotated: the components use none that is their own, or Plugin %s %s does not have rotates: true for it"
                .formatted(plugin.name(), plugin.version()))
        : List.of();
  }

  /** Agents are asked pod by pod, and only a StatefulSet says which pods there should be. */
  static Stream<String> problems(Operation operation, List<RenderedPods> groups) {
    return isRotation(operation)
        ? groups.stream()
            .filter(group -> group.names().isEmpty())
            .map(
                group ->
                    "spec.target: %s has no StatefulSet, so its pods cannot be asked"
                        .formatted(group))
        : Stream.of();
  }

  private static boolean isRotation(Operation operation) {
    return operation.getSpec().action() == OperationAction.ROTATE_SECRETS;
  }
}
