package io.middleware.engine.workflows.history;

import static io.middleware.engine.workflows.ChangeEnvironment.cancel;
import static io.middleware.engine.workflows.ChangeEnvironment.request;
import static io.middleware.engine.workflows.ChangeEnvironment.retry;
import static io.middleware.engine.workflows.Plans.fails;
import static java.util.Map.entry;

import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.api.task.TaskPhase;
import io.middleware.engine.workflows.ChangeEnvironment;
import io.middleware.engine.workflows.Plans;
import io.middleware.engine.workflows.port.DrainFirst.LeavingPod;
import io.middleware.engine.workflows.port.PlanAnswer.Planned;
import io.middleware.engine.workflows.request.RetryRequest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * The changes whose histories {@link ReplayIT} records, by file name. Those with {@code answered}
 * are of an engine whose steps answer with the orders; those with {@code in-run} of one that
 * carries out a task of one group in the App's own run; those with {@code ahead} of one that
 * schedules the next pod's step ahead; those with {@code inline} of one that did not yet; all
 * others were recorded when each group had a workflow of its own.
 */
final class RecordedScenarios {
  static final Map<String, Consumer<ChangeEnvironment>> ALL =
      Map.ofEntries(
          entry("succeeded", env -> env.change(7)),
          entry("ahead-cancelled", RecordedScenarios::cancelled),
          entry("ahead-cancelled-natively", RecordedScenarios::cancelledNatively),
          entry("ahead-failed", RecordedScenarios::failedAhead),
          entry("ahead-stale", RecordedScenarios::stale),
          entry("ahead-succeeded", env -> env.change(7)),
          entry("answered-paused", RecordedScenarios::pausedBetweenPods),
          entry("answered-succeeded", RecordedScenarios::answered),
          entry("approved", RecordedScenarios::approved),
          entry("backed-up", RecordedScenarios::backedUp),
          entry("cancelled", RecordedScenarios::cancelled),
          entry("cancelled-change", RecordedScenarios::cancelledChange),
          entry("cancelled-natively", RecordedScenarios::cancelledNatively),
          entry("cancelled-resting", RecordedScenarios::cancelledResting),
          entry("cancelled-twice", RecordedScenarios::cancelledTwice),
          entry("continued", RecordedScenarios::continued),
          entry("degraded", RecordedScenarios::degraded),
          entry("deleted", RecordedScenarios::deleted),
          entry("deleted-midway", RecordedScenarios::deletedMidway),
          entry("drained-paused", RecordedScenarios::pausedAfterADrain),
          entry("failed", RecordedScenarios::failed),
          entry("grown", RecordedScenarios::grown),
          entry("hooked", HookedScenarios::succeeded),
          entry("hooked-failed", HookedScenarios::failed),
          entry("in-run-cancelled", RecordedScenarios::cancelledInRun),
          entry("in-run-cancelled-natively", RecordedScenarios::cancelledNativelyInRun),
          entry("in-run-failed", RecordedScenarios::failedInRun),
          entry("in-run-hooked", HookedScenarios::succeededInRun),
          entry("in-run-succeeded", RecordedScenarios::succeededInRun),
          entry("inline-succeeded", env -> env.change(7)),
          entry("inline-cancelled", RecordedScenarios::cancelled),
          entry("inline-deleted", RecordedScenarios::deleted),
          entry("inline-grown", RecordedScenarios::grown),
          entry("inline-reloaded", RecordedScenarios::reloaded),
          entry("inline-silent", RecordedScenarios::silent),
          entry("members", MemberScenarios::largerAndSmaller),
          entry("members-back", MemberScenarios::takenBack),
          entry("members-cancelled", MemberScenarios::cancelled),
          entry("paused", RecordedScenarios::paused),
          entry("reloaded", RecordedScenarios::reloaded),
          entry("retried", RecordedScenarios::retried),
          entry("retried-later", RecordedScenarios::retriedLater),
          entry("silent", RecordedScenarios::silent),
          entry("superseded", RecordedScenarios::superseded),
          entry("timed-out", RecordedScenarios::timedOut),
          entry("timed-out-later", RecordedScenarios::timedOutAfterProgress));

  private static void approved(ChangeEnvironment env) {
    var waits = new CompletableFuture<Void>();
    env.cluster.planner =
        change ->
            new Planned(
                ((Planned) Plans.inTurn(7, ChangeType.CONFIG, "nodes")).plan().awaiting("c0ffee"));
    env.cluster.seen =
        progress -> {
          if (progress.hold().approval().isPresent()) {
            waits.complete(null);
          }
        };
    env.change(7);
    waits.join();
    env.update("approve", "c0ffee");
  }

  private static void backedUp(ChangeEnvironment env) {
    env.cluster.planner =
        change -> Plans.backedUp(Plans.inTurn(7, ChangeType.VERSION_UPGRADE, "nodes"));
    env.change(7);
  }

  private static void cancelled(ChangeEnvironment env) {
    env.cluster.planner = change -> Plans.undoing(7, Plans.ROLLBACK, "sentinel", "nodes");
    env.whenHangingAt("replace s0-0", () -> env.update("cancelTasks", cancel("7-config-nodes")));
    env.change(7);
  }

  private static void cancelledChange(ChangeEnvironment env) {
    env.whenHangingAt("apply sentinel/all", () -> env.update("cancelChange"));
    env.change(7);
  }

  private static void cancelledNatively(ChangeEnvironment env) {
    env.cluster.planner = change -> Plans.undoing(7, Plans.ROLLBACK, "sentinel", "nodes");
    env.whenHangingAt("replace s0-0", () -> env.cancelNatively(""));
    env.change(7);
  }

  private static void cancelledInRun(ChangeEnvironment env) {
    env.carryOutInRun();
    env.whenHangingAt("replace s0-0", () -> env.update("cancelTasks", cancel("7-config-nodes")));
    env.change(7);
  }

  private static void cancelledNativelyInRun(ChangeEnvironment env) {
    env.carryOutInRun();
    env.whenHangingAt("replace s0-0", () -> env.cancelNatively(""));
    env.change(7);
  }

  private static void cancelledResting(ChangeEnvironment env) {
    var first = new AtomicBoolean(true);
    env.cluster.fault =
        operation ->
            operation.equals("apply sentinel/all") ? fails(FaultKind.CONFLICT, "taken") : null;
    env.cluster.seen =
        progress -> {
          if (env.phases().contains(TaskPhase.RETRY_PENDING) && first.getAndSet(false)) {
            env.open().signal("cancelTasks", cancel("7-config-sentinel"));
          }
        };
    env.change(7);
  }

  private static void cancelledTwice(ChangeEnvironment env) {
    env.cluster.planner = change -> Plans.undoing(7, Plans.ROLLBACK, "nodes", "sentinel");
    env.cluster.waiting = "replace s0-0";
    env.cluster.begun =
        operation -> {
          env.cluster.waiting = "restore nodes/shard-0";
          env.cluster.begun = again -> env.update("cancelChange");
          env.update("cancelChange");
          env.cluster.hang();
        };
    env.change(7);
  }

  private static void continued(ChangeEnvironment env) {
    env.during("apply sentinel/all", () -> env.change(8));
    env.change(7);
  }

  private static void degraded(ChangeEnvironment env) {
    env.cluster.degraded.put("shard-0", "the agent of pod s0-1: UNAVAILABLE");
    env.change(7);
  }

  private static void deleted(ChangeEnvironment env) {
    env.cluster.planner = change -> Plans.removal(7, "sentinel", "nodes");
    env.change(ChangeEnvironment.deletion(7));
  }

  private static void deletedMidway(ChangeEnvironment env) {
    env.cluster.planner =
        change ->
            change.generation() == 8
                ? Plans.removal(8, "nodes")
                : Plans.undoing(7, Plans.ROLLBACK, "nodes", "sentinel");
    env.whenHangingAt("replace s0-0", () -> env.change(ChangeEnvironment.deletion(8)));
    env.change(7);
  }

  private static void succeededInRun(ChangeEnvironment env) {
    env.carryOutInRun();
    env.change(7);
  }

  private static void failedInRun(ChangeEnvironment env) {
    env.carryOutInRun();
    env.cluster.degraded.put("shard-0", "the agent of pod s0-1: UNAVAILABLE");
    failedAhead(env);
  }

  private static void failedAhead(ChangeEnvironment env) {
    env.cluster.fault =
        operation ->
            operation.equals("replace s0-1") ? fails(FaultKind.AGENT_REFUSED, "not now") : null;
    env.change(7);
  }

  private static void stale(ChangeEnvironment env) {
    env.cluster.stale =
        request -> {
          var moved = request.pod().name().equals("s0-1") && env.cluster.made.madeFrom("s0-0") == 0;
          if (moved) {
            env.cluster.pods.put("shard-0", List.of("s0-0", "s0-1"));
          }
          return moved ? Optional.of("pod s0-1 is primary now") : Optional.empty();
        };
    env.change(7);
  }

  private static void failed(ChangeEnvironment env) {
    env.cluster.planner = change -> Plans.undoing(7, Plans.ROLLBACK, "nodes", "sentinel");
    env.cluster.fault =
        operation ->
            operation.equals("replace s0-0") ? fails(FaultKind.INVALID, "cannot evict") : null;
    env.change(7);
  }

  private static void grown(ChangeEnvironment env) {
    env.cluster.planner = change -> Plans.inTurn(7, ChangeType.STORAGE, "nodes");
    env.change(7);
  }

  private static void answered(ChangeEnvironment env) {
    env.cluster.convergesAtOnce = true;
    env.change(7);
  }

  private static void pausedBetweenPods(ChangeEnvironment env) {
    var first = new AtomicBoolean(true);
    env.cluster.pausedBefore =
        request -> request.pod().name().equals("s0-0") && first.getAndSet(false);
    env.change(7);
  }

  private static void pausedAfterADrain(ChangeEnvironment env) {
    env.cluster.leaving.put("shard-0", List.of(new LeavingPod("s0-2", "u2")));
    env.cluster.fault =
        operation ->
            operation.equals("apply nodes/shard-0") && env.isFirst(operation)
                ? fails(FaultKind.PAUSED, "App cache is paused")
                : null;
    env.change(7);
  }

  private static void paused(ChangeEnvironment env) {
    env.cluster.seen =
        progress -> {
          if (progress.planned() && progress.pending().isEmpty() && progress.hold().paused()) {
            env.change(8);
          }
        };
    env.change(request(7).in(true, false));
  }

  private static void reloaded(ChangeEnvironment env) {
    env.cluster.reloading.add("shard-0");
    env.change(7);
  }

  private static void retried(ChangeEnvironment env) {
    env.cluster.planner = change -> Plans.together(7, "last", "nodes", "sentinel");
    env.cluster.fault =
        operation ->
            operation.equals("apply sentinel/all") && env.isFirst(operation)
                ? fails(FaultKind.INVALID, "unknown field")
                : null;
    env.during(
        "replace s0-1",
        () -> {
          env.await(() -> env.phases().contains(TaskPhase.FAILED));
          env.update(
              "retryTasks", new RetryRequest(retry("7-config-sentinel").retryTaskIds(), true));
        });
    env.change(7);
  }

  /** It is the second run that is recorded. */
  private static void retriedLater(ChangeEnvironment env) {
    env.cluster.fault =
        operation ->
            operation.equals("apply sentinel/all") ? fails(FaultKind.INVALID, "broken") : null;
    env.change(7);
    env.result();
    env.cluster.forget();
    env.cluster.fault = operation -> null;
    env.change(request(7).again(retry("7-config-sentinel")));
  }

  private static void silent(ChangeEnvironment env) {
    env.cluster.silent.addAll(List.of("nodes", "shard-0"));
    env.change(7);
  }

  private static void superseded(ChangeEnvironment env) {
    env.whenHangingAt("replace s0-0", () -> env.change(request(8).in(false, true)));
    env.change(7);
  }

  private static void timedOut(ChangeEnvironment env) {
    env.cluster.planner = change -> Plans.inTurn(7, ChangeType.CONFIG, "nodes");
    env.cluster.fault =
        operation ->
            operation.equals("replace s0-1") ? fails(FaultKind.UNAVAILABLE, "not ready") : null;
    env.change(7);
  }

  private static void timedOutAfterProgress(ChangeEnvironment env) {
    env.cluster.planner = change -> Plans.inTurn(7, ChangeType.CONFIG, "nodes");
    env.cluster.fault =
        operation ->
            operation.equals("replace s0-0") ? fails(FaultKind.UNAVAILABLE, "not ready") : null;
    env.change(7);
  }

  private RecordedScenarios() {}
}
