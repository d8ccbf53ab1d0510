package io.middleware.engine.workflows.history;

import static io.middleware.engine.workflows.Plans.fails;
import static java.util.Map.entry;

import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.api.task.OperationAction;
import io.middleware.engine.workflows.ChangeEnvironment;
import io.middleware.engine.workflows.Plans;
import io.middleware.engine.workflows.backup.FakeBackups;
import io.middleware.engine.workflows.port.OperationRef;
import io.middleware.engine.workflows.port.SecretActivities.LookedUpApp;
import io.middleware.engine.workflows.port.SecretActivities.LookedUpSecret;
import io.middleware.engine.workflows.port.SecretActivities.SecretLook;
import io.middleware.engine.workflows.request.BackupRequest;
import io.middleware.engine.workflows.request.OperationRequest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Recorded Operations, Backups, and changes with checks, by file name: those of {@link #ALL} in the
 * App's workflow, those of {@link #OWN} in workflows of their own.
 */
final class OperationScenarios {
  static final Map<String, Consumer<ChangeEnvironment>> ALL =
      Map.ofEntries(
          entry("acted", env -> operate(env, ChangeType.ACTION)),
          entry("checked", env -> check(env, "")),
          entry("checked-failed", env -> check(env, "await checks nodes/shard-0")),
          entry("operated", env -> operate(env, ChangeType.RESTART)),
          entry("operated-continued", OperationScenarios::editedMeanwhile),
          entry("rebuilt", env -> operate(env, ChangeType.REBUILD)),
          entry("rotated", env -> operate(env, ChangeType.ROTATE_SECRETS)),
          entry("switched-over", env -> operate(env, ChangeType.SWITCHOVER)),
          entry("watched", OperationScenarios::watch),
          entry("watched-failed", OperationScenarios::failWhileWatched));

  static final Map<String, Consumer<ChangeEnvironment>> OWN =
      Map.of(
          "operation", OperationScenarios::report,
          "operation-failed", OperationScenarios::failedReport,
          "backup", OperationScenarios::backUp,
          "backup-failed", OperationScenarios::failedBackup,
          "backup-refused", OperationScenarios::refusedBackup,
          "removal", env -> env.start(id("removal"), "BackupRemovalWorkflow", backup()),
          "secrets", env -> env.start(id("secrets"), "SecretLookWorkflow", secrets()));

  private OperationScenarios() {}

  private static void operate(ChangeEnvironment env, ChangeType type) {
    env.cluster.planner = change -> Plans.inTurn(change.generation(), type, "sentinel", "nodes");
    env.operate("restart-1");
  }

  private static void editedMeanwhile(ChangeEnvironment env) {
    env.during("apply sentinel/all", () -> env.change(8));
    operate(env, ChangeType.RESTART);
  }

  private static void check(ChangeEnvironment env, String failing) {
    env.cluster.unchecked.add("nodes/shard-0");
    env.cluster.planner = Plans.checked(change -> Plans.undoing(7, Plans.ROLLBACK, "nodes"));
    env.cluster.fault =
        operation ->
            operation.equals(failing) ? fails(FaultKind.CHECK_FAILED, "it did not hold") : null;
    env.change(7);
  }

  private static void watch(ChangeEnvironment env) {
    env.cluster.planner =
        Plans.watched("nodes", change -> Plans.undoing(7, Plans.ROLLBACK, "nodes"));
    env.change(7);
  }

  private static void failWhileWatched(ChangeEnvironment env) {
    var failing = new AtomicBoolean();
    env.cluster.fault =
        operation ->
            operation.equals("background check") && failing.get()
                ? fails(FaultKind.CHECK_FAILED, "it did not hold")
                : null;
    env.whenHangingAt("replace s0-1", () -> failing.set(true));
    watch(env);
  }

  private static void report(ChangeEnvironment env) {
    env.cluster.planner = change -> Plans.inTurn(7, ChangeType.ACTION, "sentinel", "nodes");
    var name = "report-1";
    var operation =
        new OperationRef(name, "uid-of-" + name, OperationAction.PLUGIN, "report", true);
    env.start(
        id("operation"),
        "OperationWorkflow",
        ChangeEnvironment.request(7).of(new OperationRequest(operation)));
  }

  private static void failedReport(ChangeEnvironment env) {
    env.cluster.fault =
        operation ->
            operation.startsWith("run action")
                ? fails(FaultKind.SUPERSEDED, "the App is being deleted")
                : null;
    report(env);
  }

  private static void backUp(ChangeEnvironment env) {
    env.start(id("backup"), "BackupWorkflow", backup());
  }

  /** One copy hangs until it is cancelled. */
  private static void failedBackup(ChangeEnvironment env) {
    env.backups.at.put("copy shard-0", FakeBackups::hangs);
    env.backups.at.put("copy shard-1", FakeBackups.fails("disk full"));
    backUp(env);
  }

  private static void refusedBackup(ChangeEnvironment env) {
    env.backups.refusal = Optional.of("App shop/cache is stopped");
    backUp(env);
  }

  private static BackupRequest backup() {
    return new BackupRequest("", "shop", "cache", Optional.of("now"));
  }

  private static String id(String name) {
    return Histories.workflowId(name);
  }

  private static SecretLook secrets() {
    var users = new LookedUpSecret("users", List.of("app"));
    var app = new LookedUpApp("shop", "cache", Optional.of("deployer"), List.of(users));
    return new SecretLook("", "middleware-system", List.of(app));
  }
}
