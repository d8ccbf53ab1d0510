package io.middleware.engine.watcher.schedule;

import io.middleware.engine.api.task.WorkflowIds;
import io.middleware.engine.workflows.backup.BackupWorkflow;
import io.middleware.engine.workflows.port.TaskQueues;
import io.middleware.engine.workflows.request.BackupRequest;
import io.middleware.engine.workflows.temporal.ChangeSearchAttributes;
import io.middleware.engine.workflows.temporal.TaskPriority;
import io.middleware.engine.workflows.temporal.WorkflowPolicy;
import io.temporal.api.enums.v1.ScheduleOverlapPolicy;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.schedules.Schedule;
import io.temporal.client.schedules.ScheduleActionStartWorkflow;
import io.temporal.client.schedules.ScheduleCalendarSpec;
import io.temporal.client.schedules.SchedulePolicy;
import io.temporal.client.schedules.ScheduleSpec;
import io.temporal.client.schedules.ScheduleState;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The schedules as Temporal has them. Temporal translates cron expressions into calendars, but
 * keeps a comment behind an expression. So each expression has itself as its comment, by which a
 * change is seen.
 */
record ScheduleForm(String cluster) {
  /** An operator's own pause has another note, and stays when the App is started. */
  static final String STOPPED = "the App is stopped";

  /** The client cannot read a schedule whose runs have a summary, but no details. */
  private static final String DETAILS = "Started as the spec.backup of the App says.";

  private static final String COMMENT = " # ";

  /** A new schedule. */
  Schedule schedule(BackupSchedule desired) {
    return schedule(desired, ScheduleState.newBuilder().build());
  }

  /** The schedule that takes the place of one that is in this state. */
  Schedule schedule(BackupSchedule desired, ScheduleState state) {
    var expressions = desired.times().expressions().stream().map(it -> it + COMMENT + it).toList();
    return Schedule.newBuilder()
        .setSpec(
            ScheduleSpec.newBuilder()
                .setCronExpressions(expressions)
                .setTimeZoneName(desired.times().zone().getId())
                .build())
        .setPolicy(
            SchedulePolicy.newBuilder()
                .setOverlap(ScheduleOverlapPolicy.SCHEDULE_OVERLAP_POLICY_SKIP)
                .setCatchupWindow(BackupTimes.CATCH_UP)
                .build())
        .setState(state(desired, state))
        .setAction(action(desired))
        .build();
  }

  boolean differs(BackupSchedule desired, Schedule found) {
    return !(Set.copyOf(desired.times().expressions()).equals(expressions(found.getSpec()))
        && desired.times().zone().getId().equals(found.getSpec().getTimeZoneName())
        && isAction(desired, found)
        && isState(desired, found.getState()));
  }

  private static boolean isState(BackupSchedule desired, ScheduleState found) {
    var next = state(desired, found);
    return next.isPaused() == found.isPaused();
  }

  private boolean isAction(BackupSchedule desired, Schedule found) {
    if (!(found.getAction() instanceof ScheduleActionStartWorkflow start)) {
      return false;
    }
    var options = start.getOptions();
    return BackupWorkflow.class.getSimpleName().equals(start.getWorkflowType())
        && id(desired).equals(options.getWorkflowId())
        && TaskQueues.engine(cluster).equals(options.getTaskQueue());
  }

  private static Set<String> expressions(ScheduleSpec spec) {
    var kept = Stream.ofNullable(spec.getCronExpressions()).flatMap(List::stream);
    var translated =
        Stream.ofNullable(spec.getCalendars())
            .flatMap(List::stream)
            .map(ScheduleCalendarSpec::getComment)
            .map(comment -> comment == null ? "" : comment);
    return Stream.concat(kept.map(it -> it.substring(it.indexOf(COMMENT) + 1)), translated)
        .map(String::strip)
        .collect(Collectors.toSet());
  }

  private static ScheduleState state(BackupSchedule desired, ScheduleState found) {
    if (desired.paused() && !found.isPaused()) {
      return ScheduleState.newBuilder(found).setPaused(true).setNote(STOPPED).build();
    }
    if (!desired.paused() && found.isPaused() && STOPPED.equals(found.getNote())) {
      return ScheduleState.newBuilder(found).setPaused(false).setNote("").build();
    }
    return found;
  }

  private ScheduleActionStartWorkflow action(BackupSchedule desired) {
    var namespace = desired.app().getNamespace().orElseThrow();
    var app = desired.app().getName();
    return ScheduleActionStartWorkflow.newBuilder()
        .setWorkflowType(BackupWorkflow.class)
        .setArguments(new BackupRequest(cluster, namespace, app, Optional.empty()))
        .setOptions(
            WorkflowOptions.newBuilder()
                .setWorkflowId(id(desired))
                .setTaskQueue(TaskQueues.engine(cluster))
                .setWorkflowTaskTimeout(WorkflowPolicy.TASK_TIMEOUT)
                .setStaticSummary("%s/%s scheduled backup".formatted(namespace, app))
                .setStaticDetails(DETAILS)
                .setPriority(TaskPriority.of(namespace))
                .setTypedSearchAttributes(ChangeSearchAttributes.ofBackup(cluster, namespace, app))
                .build())
        .build();
  }

  private String id(BackupSchedule desired) {
    return WorkflowIds.backup(
        cluster, desired.app().getNamespace().orElseThrow(), desired.app().getName());
  }
}
