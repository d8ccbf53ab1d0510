package io.middleware.engine.workflows.history;

import io.temporal.activity.Activity;
import io.temporal.api.history.v1.ActivityTaskScheduledEventAttributes;
import io.temporal.api.history.v1.HistoryEvent;
import java.util.stream.Collectors;

/**
 * The steps before the one that asks. A test waits for their end before it cancels: the in-memory
 * server refuses to cancel a step that has just ended, and the workflow then never goes on.
 */
public final class EarlierSteps {
  private EarlierSteps() {}

  /** Whether the steps of the same kind that the workflow began before this one have ended. */
  public static boolean haveEnded() {
    var context = Activity.getExecutionContext();
    var step = context.getInfo();
    var history =
        context.getWorkflowClient().fetchHistory(step.getWorkflowId(), step.getRunId()).getEvents();
    var ended = history.stream().map(EarlierSteps::endedStep).collect(Collectors.toSet());
    return history.stream()
        .filter(HistoryEvent::hasActivityTaskScheduledEventAttributes)
        .takeWhile(event -> !scheduled(event).getActivityId().equals(step.getActivityId()))
        .filter(
            event -> scheduled(event).getActivityType().getName().equals(step.getActivityType()))
        .allMatch(event -> ended.contains(event.getEventId()));
  }

  private static ActivityTaskScheduledEventAttributes scheduled(HistoryEvent event) {
    return event.getActivityTaskScheduledEventAttributes();
  }

  private static long endedStep(HistoryEvent event) {
    return switch (event.getAttributesCase()) {
      case ACTIVITY_TASK_COMPLETED_EVENT_ATTRIBUTES ->
          event.getActivityTaskCompletedEventAttributes().getScheduledEventId();
      case ACTIVITY_TASK_FAILED_EVENT_ATTRIBUTES ->
          event.getActivityTaskFailedEventAttributes().getScheduledEventId();
      case ACTIVITY_TASK_TIMED_OUT_EVENT_ATTRIBUTES ->
          event.getActivityTaskTimedOutEventAttributes().getScheduledEventId();
      case ACTIVITY_TASK_CANCELED_EVENT_ATTRIBUTES ->
          event.getActivityTaskCanceledEventAttributes().getScheduledEventId();
      default -> 0;
    };
  }
}
