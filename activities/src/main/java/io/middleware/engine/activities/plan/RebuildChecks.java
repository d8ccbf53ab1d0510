package io.middleware.engine.activities.plan;

import io.middleware.engine.api.Operation;
import io.middleware.engine.api.task.OperationAction;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Why pods of groups cannot be made anew, as far as that is known before they are looked at. */
final class RebuildChecks {
  private RebuildChecks() {}

  /**
   * @param groups those of the named pods
   */
  static Stream<String> problems(Operation operation, List<RenderedPods> groups) {
    return operation.getSpec().action() == OperationAction.REBUILD
        ? groups.stream().flatMap(group -> problem(group).stream())
        : Stream.of();
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
