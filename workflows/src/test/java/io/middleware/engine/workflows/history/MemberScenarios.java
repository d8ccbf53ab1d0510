package io.middleware.engine.workflows.history;

import static io.middleware.engine.workflows.ChangeEnvironment.cancel;
import static io.middleware.engine.workflows.Plans.fails;

import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.api.task.UndoPolicy;
import io.middleware.engine.workflows.ChangeEnvironment;
import io.middleware.engine.workflows.Plans;

/** Changes of groups whose pods join and leave one at a time. */
final class MemberScenarios {
  private static final String TASK = "7-config-nodes";

  private MemberScenarios() {}

  /** One group gets larger, and the other one, which was stopped, smaller. */
  static void largerAndSmaller(ChangeEnvironment env) {
    scale(env, Plans.HOLD);
    env.cluster.members.now.put("shard-1", 2);
    env.cluster.members.target.put("shard-1", 1);
    env.cluster.members.stopped.put("shard-1", true);
    env.change(7);
  }

  static void takenBack(ChangeEnvironment env) {
    scale(env, Plans.ROLLBACK);
    env.cluster.fault =
        operation ->
            operation.equals("complete s0-4") && env.isFirst(operation)
                ? fails(FaultKind.AGENT_REFUSED, "it cannot catch up")
                : null;
    env.change(7);
  }

  static void cancelled(ChangeEnvironment env) {
    scale(env, Plans.HOLD);
    env.whenHangingAt("join s0-4", () -> env.update("cancelTasks", cancel(TASK)));
    env.change(7);
  }

  private static void scale(ChangeEnvironment env, UndoPolicy undo) {
    env.cluster.pods.remove("shard-0");
    env.cluster.members.now.put("shard-0", 3);
    env.cluster.members.before.put("shard-0", 3);
    env.cluster.members.target.put("shard-0", 5);
    env.cluster.planner = change -> Plans.undoing(7, undo, "nodes");
  }
}
