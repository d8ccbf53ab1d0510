package io.middleware.engine.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.process.EngineSettings;
import io.middleware.engine.process.settings.ProcessArguments;
import io.temporal.client.WorkflowOptions;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/**
 * Workflow code that gets no processor for a while, as on a busy machine. Taken for a deadlock, it
 * would be repeated for ever.
 */
class SlowDecisionIT {
  private static final String QUEUE = "decisions";

  @Test
  void shouldNotTakeItForADeadlock() {
    // Given
    var settings = EngineSettings.read(new ProcessArguments(List.of(), Map.of())).worker();
    try (var temporal = InMemoryTemporal.with(new KeepAlive())) {
      temporal
          .newWorker(
              QUEUE, TemporalWorkers.engine(settings, new Admission(16, Duration.ofSeconds(10))))
          .registerWorkflowImplementationTypes(SlowImpl.class);
      temporal.start();
      var client = temporal.getWorkflowClient();
      var options = WorkflowOptions.newBuilder().setTaskQueue(QUEUE).setWorkflowId("slow").build();
      // When
      var answer = client.newWorkflowStub(Slow.class, options).decide();
      // Then
      assertThat(answer).isEqualTo("decided");
    }
  }

  @WorkflowInterface
  public interface Slow {
    @WorkflowMethod
    String decide();
  }

  public static final class SlowImpl implements Slow {
    @Override
    public String decide() {
      LockSupport.parkNanos(Duration.ofMillis(1500).toNanos());
      return "decided";
    }
  }
}
