package io.middleware.engine.activities.actions;

import io.middleware.engine.api.operation.Operation;
import io.middleware.engine.api.operation.OperationTarget;
import io.middleware.engine.api.operation.TargetRole;
import io.middleware.engine.api.plugin.ActionPods;
import io.middleware.engine.api.plugin.PluginAction;
import java.util.Optional;

/**
 * The pods of a group on which an action runs, as Plugin and Operation limit them.
 *
 * @param role that the pods must have; empty: any
 * @param count of pods at most; empty: all of them
 */
record ActionPodLimits(ActionPods pods, Optional<TargetRole> role, Optional<Integer> count) {

  /** Those of the Plugin. */
  static ActionPodLimits of(PluginAction action) {
    return new ActionPodLimits(action.pods(), Optional.empty(), Optional.empty());
  }

  static ActionPodLimits of(PluginAction action, Operation operation) {
    var target = Optional.ofNullable(operation.getSpec().target());
    return new ActionPodLimits(
        action.pods(), target.map(OperationTarget::role), target.map(OperationTarget::count));
  }

  /** Whether the Operation wants only some of the pods. */
  boolean areNarrow() {
    return role.isPresent() || count.isPresent();
  }
}
