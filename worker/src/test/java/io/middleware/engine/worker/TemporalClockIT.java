package io.middleware.engine.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityOptions;
import io.temporal.client.WorkflowOptions;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** A worker whose clock is an hour ahead. */
class TemporalClockIT {
  private static final String QUEUE = "clocks";
  private static final Duration LIMIT = Duration.ofMinutes(10);

  @Test
  void shouldHaveTheWholeTimeUntilADeadlineOfTemporal() {
    // Given
    var clock =
        new TemporalClock(Clock.offset(Clock.systemUTC(), Duration.ofHours(1)), System::nanoTime);
    try (var temporal = InMemoryTemporal.with(clock.observer())) {
      var worker = temporal.newWorker(QUEUE);
      worker.registerWorkflowImplementationTypes(LimitedImpl.class);
      worker.registerActivitiesImplementations((Left) deadline -> left(clock, deadline));
      temporal.start();
      var options = WorkflowOptions.newBuilder().setTaskQueue(QUEUE).setWorkflowId("left").build();
      // When
      var left = temporal.getWorkflowClient().newWorkflowStub(Limited.class, options).run();
      // Then
      assertThat(left).isBetween(Duration.ofSeconds(1), LIMIT.plusSeconds(1));
    }
  }

  private static Duration left(Clock clock, Instant deadline) {
    return Duration.between(clock.instant(), deadline);
  }

  @ActivityInterface
  public interface Left {
    Duration until(Instant deadline);
  }

  @WorkflowInterface
  public interface Limited {
    @WorkflowMethod
    Duration run();
  }

  public static final class LimitedImpl implements Limited {
    @Override
    public Duration run() {
      var options = ActivityOptions.newBuilder().setScheduleToCloseTimeout(LIMIT).build();
      var now = Instant.ofEpochMilli(Workflow.currentTimeMillis());
      return Workflow.newActivityStub(Left.class, options).until(now.plus(LIMIT));
    }
  }
}
