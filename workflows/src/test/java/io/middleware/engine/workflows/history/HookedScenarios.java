package io.middleware.engine.workflows.history;

import static io.middleware.engine.workflows.Plans.fails;

import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.workflows.ChangeEnvironment;
import io.middleware.engine.workflows.HookIT;
import io.middleware.engine.workflows.Plans;

/** Recorded changes whose task runs hooks. */
final class HookedScenarios {
  private HookedScenarios() {}

  static void succeeded(ChangeEnvironment env) {
    env.cluster.planner =
        Plans.hooked(HookIT.BOTH, change -> Plans.undoing(7, Plans.ROLLBACK, "nodes"));
    env.change(7);
  }

  static void succeededInRun(ChangeEnvironment env) {
    env.carryOutInRun();
    env.cluster.planner = Plans.hooked(HookIT.BOTH, env.cluster.planner);
    env.change(7);
  }

  static void failed(ChangeEnvironment env) {
    env.cluster.fault =
        operation ->
            operation.startsWith("afterUpgrade") ? fails(FaultKind.HOOK_FAILED, "code 3") : null;
    succeeded(env);
  }
}
