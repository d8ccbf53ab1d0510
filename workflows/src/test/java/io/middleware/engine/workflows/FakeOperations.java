package io.middleware.engine.workflows;

import io.middleware.engine.workflows.history.EarlierSteps;
import io.middleware.engine.workflows.port.ChangeProgress;
import io.middleware.engine.workflows.port.ChangeRef;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.OperationActivities;
import io.middleware.engine.workflows.port.TaskRef;
import io.temporal.activity.Activity;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Records the operations and reports of a fake in order, and makes them fail or hang where a test
 * says so.
 */
class FakeOperations implements OperationActivities {
  /**
   * Operations such as {@code "apply redis/shard-0"}, in the order they happened; may be read while
   * others happen.
   */
  public final List<String> operations = new CopyOnWriteArrayList<>();

  /** The runs that operated, in order: a run that appears twice has overlapped with another. */
  public final List<String> runs = new CopyOnWriteArrayList<>();

  /** By which the agents know each step of a hook, in order. */
  final List<String> hookSteps = new CopyOnWriteArrayList<>();

  /** Why the order in which hooks ran is not the agents' own; null when it is. */
  volatile String degradedHook;

  /** The statuses that were reported, in order. */
  final List<ChangeProgress> reports = new CopyOnWriteArrayList<>();

  /** Called before each operation; may throw to make it fail. */
  public Function<String, ApplicationFailure> fault = operation -> null;

  /** The operation that waits until it is cancelled or no longer named here. */
  public volatile String waiting = "";

  /** Called when that operation has begun. */
  public Consumer<String> begun = operation -> {};

  /** Hangs until cancelled. */
  public final void hang() {
    hang(() -> true);
  }

  /** Hangs while the condition holds, or until cancelled. */
  static void hang(Supplier<Boolean> condition) {
    while (condition.get()) {
      Activity.getExecutionContext().heartbeat("waiting");
      LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
    }
  }

  final void failAt(String operation) {
    var failure = fault.apply(operation);
    if (failure != null) {
      throw failure;
    }
  }

  final void operate(ChangeRef change, String operation) {
    operations.add(operation);
    if (runs.isEmpty() || !runs.getLast().equals(change.runId())) {
      runs.add(change.runId());
    }
    failAt(operation);
    if (operation.equals(waiting)) {
      hang(() -> !EarlierSteps.haveEnded());
      begun.accept(operation);
      hang(() -> operation.equals(waiting));
    }
  }

  @Override
  public final void switchOver(GroupRef group) {
    operate(group.change(), "switch over " + path(group));
  }

  @Override
  public final void rebuild(GroupRef group) {
    operate(group.change(), "rebuild " + path(group));
  }

  @Override
  public final SecretsPublished publishSecrets(TaskRef task) {
    operate(task.change(), "publish secrets of " + task.component());
    return new SecretsPublished(Duration.ofSeconds(1));
  }

  @Override
  public final void retireSecrets(TaskRef task) {
    operate(task.change(), "retire secrets of " + task.component());
  }

  static String path(GroupRef group) {
    return group.task().component() + "/" + group.group();
  }

  /** Drops all records; the pods stay. */
  public void forget() {
    operations.clear();
    reports.clear();
    runs.clear();
  }

  /** How each run ended, such as {@code "7 Failed: …"}. */
  public List<String> ends() {
    return Reports.ends(reports);
  }

  public ChangeProgress lastReport() {
    return reports.getLast();
  }

  /** The last report of a run; a repeated workflow task writes its status again. */
  public ChangeProgress lastReport(String run) {
    return Reports.last(reports, run);
  }
}
