package io.middleware.engine.workflows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.middleware.engine.workflows.request.ChangeRequest;
import io.middleware.engine.workflows.request.ChangeTarget;
import io.temporal.api.enums.v1.EventType;
import io.temporal.client.WorkflowUpdateException;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A run without a request ends soon and writes nothing. */
class FirstRequestIT {
  private static final String MISSED =
      "Rejected: no generation to carry out arrived within 60 s of the start";

  @RegisterExtension final ChangeEnvironment env = ChangeEnvironment.withApp(true);
  private final FakeCluster cluster = env.cluster;

  @Test
  void shouldEndWithoutWritingToAnyApp() {
    // When
    startWithoutRequest();
    // Then
    assertThat(env.result()).isEqualTo(MISSED);
    assertThat(cluster.operations).isEmpty();
    assertThat(cluster.reports).isEmpty();
  }

  @Test
  void shouldEndWhenTheRequestIsOfNoUse() {
    // Given
    startWithoutRequest();
    // When
    env.open().signal("changed", new Object[] {null});
    env.open().signal("changed", Map.of("generation", 7));
    env.open()
        .signal(
            "changed", new ChangeRequest(new ChangeTarget("shop", "other", "uid-2", 0), 7, false));
    // Then
    assertThat(env.result()).isEqualTo(MISSED);
    assertThat(cluster.operations).isEmpty();
  }

  @Test
  void shouldForgetEarlyRequestsWhenNoGenerationArrives() {
    // Given
    startWithoutRequest();
    env.open().signal("cancelChange");
    env.result();
    // When
    env.change(7);
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    assertThat(cluster.lastReport().notes().requests()).isEmpty();
  }

  @Test
  void shouldCarryOutARequestThatArrivesInTime() {
    // Given
    startWithoutRequest();
    env.temporal.sleep(Duration.ofSeconds(50));
    // When
    env.change(7);
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    assertThat(cluster.ends()).containsExactly("7 Succeeded");
  }

  @Test
  void shouldAskToRepeatAnUpdateThatComesBeforeTheRequest() {
    // Given
    startWithoutRequest();
    // When
    var early =
        catchThrowableOfType(WorkflowUpdateException.class, () -> env.update("cancelChange"));
    // Then
    assertThat(early.getCause())
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            failure -> {
              assertThat(failure.getType()).isEqualTo(AppChangeWorkflow.NOT_YET);
              assertThat(failure.getOriginalMessage())
                  .isEqualTo("the change has not begun yet: try again in a moment");
            });
  }

  @Test
  void shouldSetNoTimerWhenTheRequestArrivesWithTheStart() {
    // When
    env.change(7);
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    var events = env.events();
    assertThat(events.subList(0, events.indexOf(EventType.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED)))
        .contains(EventType.EVENT_TYPE_WORKFLOW_EXECUTION_SIGNALED)
        .doesNotContain(EventType.EVENT_TYPE_TIMER_STARTED);
  }

  private void startWithoutRequest() {
    env.start(ChangeEnvironment.ID, "AppChangeWorkflow", new Object[] {null});
  }
}
