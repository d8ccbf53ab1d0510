package io.middleware.engine.api.crd;

import java.util.Map;
import java.util.TreeMap;

/**
 * How long each list of a status can get, and by which rule. A new list needs a line: either what
 * it lists is limited already, or the code that writes it leaves some out and says how many.
 */
final class StatusLimits {
  /** An App has 16 components, with 32 groups each. */
  private static final int COMPONENTS = 16;

  private static final int GROUPS = 32;
  private static final int ALL_GROUPS = COMPONENTS * GROUPS;

  /** One of each type for each component, with a Backup before and a check after them. */
  private static final int TASKS = COMPONENTS * 15;

  /** Of ChangeConditions, and of the watcher. */
  private static final int CONDITIONS = 16;

  static final Map<String, Integer> KEPT = new TreeMap<>();

  static {
    for (var kind : new String[] {"App.status", "App.status.plan", "Operation.status"}) {
      KEPT.put(kind + ".tasks", TASKS);
      KEPT.put(kind + ".tasks[].dependencies", TASKS);
      for (var list : new String[] {"done", "reverted", "left", "notReady"}) {
        KEPT.put(kind + ".tasks[].result." + list, 500); // TaskStatuses, with how many more
      }
      KEPT.put(kind + ".tasks[].checks", 64); // CheckedTasks keeps the newest
    }
    for (var kind : new String[] {"App", "Component", "Group"}) {
      KEPT.put(kind + ".status.conditions", CONDITIONS);
    }
    KEPT.put("App.status.change.requests", 10); // ChangeState keeps the newest
    KEPT.put("Operation.status.requests", 10);
    KEPT.put("App.status.plan.pods", 2000); // Preview, with notListed
    KEPT.put("App.status.plan.objects", 2000);
    KEPT.put("App.status.plan.values", 500); // Preview, with how many more
    KEPT.put("App.status.components", COMPONENTS);
    KEPT.put("App.status.components[].groups", GROUPS);
    KEPT.put("App.status.endpoints", 256); // AppHealth keeps the first
    KEPT.put("App.status.usedGenerations", 16); // its spec
    KEPT.put("Component.status.groups", GROUPS);
    KEPT.put("Group.status.nodes", 1000); // PartStatuses, with notListed
    KEPT.put("Group.status.inventory", 2 * 50); // OutputGuard: 50 objects, and those before
    KEPT.put("Backup.status.copies", ALL_GROUPS);
    KEPT.put("Backup.status.withoutPods", ALL_GROUPS);
    KEPT.put("Operation.status.switchovers", GROUPS); // of one component
    KEPT.put("Operation.status.rebuilds", 64); // OperationTarget names them
    KEPT.put("Operation.status.rebuilds[].claims", 64);
    KEPT.put("Operation.status.runs", 1000); // PluginActions refuses more
    KEPT.put("Operation.status.runs[].values", 32); // ActionRuns
    KEPT.put("IntegrationTest.status.steps", 65); // its spec has 64, and one cleans up
    KEPT.put("IntegrationTest.status.steps[].checks", 16);
    KEPT.put("IntegrationTest.status.rounds", 20); // IntegrationTestStatuses keeps the newest
    KEPT.put("LoadTest.status.lastResults", 16); // its spec
  }

  private StatusLimits() {}
}
