package io.middleware.engine.workflows;

import static io.middleware.engine.workflows.temporal.ActivityPolicy.brief;

import io.middleware.engine.api.task.ChangeTask;
import io.middleware.engine.workflows.port.PodActivities;
import io.middleware.engine.workflows.port.PodActivities.TaskState;
import io.middleware.engine.workflows.port.TaskRef;
import io.middleware.engine.workflows.temporal.FailureCauses;
import io.temporal.failure.ActivityFailure;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * How much time a task has without progress. Progress is one more pod that has what the task
 * brings, and is ready, or that is drained or gone because the task removes it; a pod counts once,
 * however often it gets ready.
 *
 * <ol>
 *   <li>The task begins with its whole time limit.
 *   <li>When that is over, look whether more pods are done than at the last look. If so, the task
 *       has the limit again, less the time since the last of them got ready. That is measured by
 *       other clocks, so it is never more than the larger part of the limit.
 * </ol>
 */
final class TaskClock {
  private static final String BY_PROGRESS = "time-limit-by-progress";
  private static final int LEAST_PART = 4;

  private final ChangeTask task;
  private final TaskRef ref;
  private final Set<String> done = new TreeSet<>();

  TaskClock(ChangeTask task, TaskRef ref) {
    this.task = task;
    this.ref = ref;
  }

  Duration limit() {
    return task.policy().timeout();
  }

  /** The time that the task has when its limit is over; zero when it has made no progress. */
  Duration again() {
    if (!task.type().touchesPods()
        || Workflow.getVersion(BY_PROGRESS, Workflow.DEFAULT_VERSION, 1) < 1) {
      return Duration.ZERO;
    }
    return state()
        .filter(state -> done.addAll(state.progress()))
        .map(state -> atLeast(limit().dividedBy(LEAST_PART), limit().minus(state.sinceProgress())))
        .orElse(Duration.ZERO);
  }

  /** Whether the limit has begun again. */
  boolean hasMadeProgress() {
    return !done.isEmpty();
  }

  /** Not known is no progress: what cannot be looked up does not go on either. */
  private Optional<TaskState> state() {
    try {
      return Optional.of(
          Workflow.newLocalActivityStub(
                  PodActivities.class, brief("which pods %s has reached".formatted(task.id())))
              .taskState(ref));
    } catch (ActivityFailure e) {
      if (FailureCauses.isCancel(e)) {
        throw e;
      }
      return Optional.empty();
    }
  }

  private static Duration atLeast(Duration least, Duration time) {
    return time.compareTo(least) < 0 ? least : time;
  }
}
