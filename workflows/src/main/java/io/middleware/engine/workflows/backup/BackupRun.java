package io.middleware.engine.workflows.backup;

import io.middleware.engine.api.backup.BackupStatus;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.workflows.port.BackupActivities;
import io.middleware.engine.workflows.port.BackupActivities.BackupBegun;
import io.middleware.engine.workflows.port.BackupActivities.BackupEnd;
import io.middleware.engine.workflows.port.BackupActivities.BackupGroup;
import io.middleware.engine.workflows.port.BackupActivities.GroupCopy;
import io.middleware.engine.workflows.port.BackupRef;
import io.middleware.engine.workflows.temporal.ActivityPolicy;
import io.middleware.engine.workflows.temporal.ChangeSearchAttributes;
import io.middleware.engine.workflows.temporal.FailureCauses;
import io.temporal.activity.ActivityOptions;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.ApplicationFailure;
import io.temporal.failure.TemporalFailure;
import io.temporal.workflow.Async;
import io.temporal.workflow.Promise;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** One backup: its groups are copied together, and it counts only when all copies are good. */
final class BackupRun {
  private static final Duration LONGEST_DISCARD = Duration.ofSeconds(20);

  private final BackupRef backup;

  BackupRun(BackupRef backup) {
    this.backup = backup;
  }

  /** Returns what was backed up, for people. */
  String run() {
    var begun = step("begin " + backup.name()).beginBackup(backup);
    begun
        .refusal()
        .ifPresent(
            why -> {
              end("Rejected");
              throw ApplicationFailure.newNonRetryableFailure(why, FaultKind.REFUSED.label());
            });
    try {
      Workflow.setCurrentDetails("Copying " + names(begun) + " to the store.");
      copy(begun);
      end(BackupStatus.SUCCEEDED, "");
    } catch (TemporalFailure e) {
      Workflow.newDetachedCancellationScope(() -> abandon(e)).run();
      throw e;
    }
    return "%s backed up%s".formatted(names(begun), prune());
  }

  /** When one fails, the others are stopped: nothing of them is kept. */
  private void copy(BackupBegun begun) {
    List<Promise<Void>> copies = new ArrayList<>();
    var scope =
        Workflow.newCancellationScope(
            () ->
                begun
                    .groups()
                    .forEach(
                        group -> copies.add(Async.procedure(() -> copy(group, begun.timeout())))));
    scope.run();
    try {
      Promise.allOf(copies).get();
    } catch (TemporalFailure e) {
      scope.cancel("another group could not be copied");
      awaitEnds(copies);
      throw e;
    }
  }

  private static void awaitEnds(List<Promise<Void>> copies) {
    copies.forEach(copy -> copy.handle((result, failure) -> null).get());
  }

  private void copy(BackupGroup group, Duration timeout) {
    var summary = "copy %s/%s".formatted(group.component(), group.group());
    limited(summary, timeout).copyGroup(new GroupCopy(backup, group));
  }

  private void abandon(TemporalFailure failure) {
    var remains = discard();
    if (FailureCauses.isCancel(failure)) {
      end(BackupStatus.CANCELLED, "it was cancelled" + remains);
    } else {
      end(BackupStatus.FAILED, FailureCauses.explain(failure).message() + remains);
    }
  }

  /** Returns what people should know about it. */
  private String discard() {
    try {
      limited("discard copies", LONGEST_DISCARD).discardCopies(backup);
      return "";
    } catch (ActivityFailure e) {
      return "; its copies in the store could not be deleted: %s; they are deleted with the Backup"
          .formatted(FailureCauses.explain(e).message());
    }
  }

  /** The backup is good, whatever happens here. */
  private String prune() {
    if (!backup.scheduled()) {
      return "";
    }
    try {
      step("delete old backups").pruneBackups(backup);
      return "";
    } catch (TemporalFailure e) {
      return "; old backups could not be deleted: " + FailureCauses.explain(e).message();
    }
  }

  private void end(String phase, String why) {
    Workflow.newActivityStub(BackupActivities.class, ActivityPolicy.patient("end " + backup.name()))
        .endBackup(new BackupEnd(backup, phase, why));
    end(phase);
  }

  private static void end(String outcome) {
    Workflow.upsertTypedSearchAttributes(ChangeSearchAttributes.OUTCOME.valueSet(outcome));
    Workflow.setCurrentDetails(outcome + ".");
  }

  private static String names(BackupBegun begun) {
    return begun.groups().stream()
        .map(group -> group.component() + "/" + group.group())
        .collect(Collectors.joining(", "));
  }

  private static BackupActivities step(String summary) {
    return Workflow.newActivityStub(BackupActivities.class, ActivityPolicy.step(summary));
  }

  private static BackupActivities limited(String summary, Duration timeout) {
    return Workflow.newActivityStub(
        BackupActivities.class,
        ActivityOptions.newBuilder(ActivityPolicy.waiting(summary))
            .setScheduleToCloseTimeout(timeout)
            .build());
  }
}
