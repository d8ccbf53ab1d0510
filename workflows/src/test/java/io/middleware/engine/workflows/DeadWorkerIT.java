package io.middleware.engine.workflows;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.task.TaskPhase;
import java.util.Collections;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A worker dies during a step: to Temporal it just falls silent. */
class DeadWorkerIT {
  @RegisterExtension final ChangeEnvironment env = ChangeEnvironment.withApp(false);
  private final CountDownLatch dead = new CountDownLatch(1);

  @AfterEach
  void stop() {
    dead.countDown();
  }

  @ParameterizedTest
  @ValueSource(strings = {"plan 7", "apply nodes/shard-0", "replace s0-1"})
  void shouldPassTheStepToAnotherWorkerSoon(String step) {
    // Given
    env.during(step, this::fallSilent);
    // When
    env.change(7);
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    assertThat(env.phases()).containsOnly(TaskPhase.DONE);
    assertThat(Collections.frequency(env.cluster.operations, step)).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/7/7-config-nodes", "/7/7-config-nodes/shard-0"})
  void shouldTakeOverAWorkflowTaskSoon(String child) {
    // Given
    env.cluster.planner = Plans.apart(env.cluster.planner);
    // When
    env.change(7).getResult(String.class);
    // Then
    var begin = env.history(child).findFirst().orElseThrow();
    assertThat(begin.getWorkflowExecutionStartedEventAttributes().toString())
        .contains("workflow_task_timeout {\n  seconds: 5\n}");
  }

  private void fallSilent() {
    try {
      dead.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
