package io.middleware.engine.workflows.backup;

import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.workflows.port.BackupActivities;
import io.middleware.engine.workflows.port.BackupRef;
import io.middleware.engine.workflows.port.TaskRef;
import io.temporal.activity.Activity;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;

/** Backups of an App with two groups; notes what is asked of it. */
public final class FakeBackups implements BackupActivities {
  final List<String> calls = new CopyOnWriteArrayList<>();
  final List<BackupRef> begun = new CopyOnWriteArrayList<>();

  /** What happens at a call; by default nothing. */
  public final ConcurrentHashMap<String, Runnable> at = new ConcurrentHashMap<>();

  public volatile Optional<String> refusal = Optional.empty();
  volatile Duration timeout = Duration.ofMinutes(1);

  /** By name, how the Backups of changes have ended; empty until then. */
  private final ConcurrentHashMap<String, String> ofChanges = new ConcurrentHashMap<>();

  @Override
  public NeededBackup neededBackup(TaskRef task) {
    var name = "cache-before-g" + task.change().generation();
    var attempts = ofChanges.keySet().stream().filter(it -> it.startsWith(name)).toList();
    return attempts.stream()
        .filter(it -> ofChanges.get(it).equals("Succeeded"))
        .findFirst()
        .map(it -> new NeededBackup(it, true))
        .orElseGet(
            () ->
                new NeededBackup(
                    attempts.isEmpty() ? name : name + "-" + (attempts.size() + 1), false));
  }

  @Override
  public BackupBegun beginBackup(BackupRef backup) {
    begun.add(backup);
    backup.beforeUpgradeTo().ifPresent(generation -> ofChanges.put(backup.name(), ""));
    call("begin " + backup.name());
    return new BackupBegun(
        List.of(new BackupGroup("db", "shard-0"), new BackupGroup("db", "shard-1")),
        timeout,
        refusal);
  }

  @Override
  public void copyGroup(GroupCopy copy) {
    call("copy " + copy.group().group());
  }

  @Override
  public void discardCopies(BackupRef backup) {
    call("discard");
  }

  @Override
  public void endBackup(BackupEnd end) {
    ofChanges.computeIfPresent(end.backup().name(), (name, before) -> end.phase());
    call("end %s: %s".formatted(end.phase(), end.why()));
  }

  @Override
  public void pruneBackups(BackupRef backup) {
    call("prune");
  }

  @Override
  public void removeBackup(BackupRef backup) {
    call("remove " + backup.name());
  }

  private void call(String what) {
    calls.add(what);
    at.getOrDefault(what, () -> {}).run();
  }

  /** Refuses, as agents do. */
  public static Runnable fails(String why) {
    return () -> {
      throw ApplicationFailure.newNonRetryableFailure(why, FaultKind.AGENT_REFUSED.label());
    };
  }

  /** Ends only when it is cancelled. */
  public static void hangs() {
    while (true) {
      Activity.getExecutionContext().heartbeat("copying");
      LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
    }
  }
}
