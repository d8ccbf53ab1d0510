package io.middleware.engine.workflows;

import static org.assertj.core.api.Assertions.assertThat;

import io.temporal.api.history.v1.HistoryEvent;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What a change does so that it ends well where there are more of them than can be done at once.
 */
@Timeout(60)
class CrowdIT {
  private final ChangeEnvironment env = ChangeEnvironment.withApp(false);
  private final FakeCluster cluster = env.cluster;

  @AfterEach
  void stop() {
    env.close();
  }

  /** The in-memory server knows no order; a crowd of Apps on the real ones is P5. */
  @Test
  void shouldAskToGoBeforeChangesThatHaveNotBegun() {
    // When
    env.change(7).getResult(String.class);
    // Then
    var children =
        Stream.of("", "/7/7-config-nodes")
            .flatMap(env::history)
            .filter(HistoryEvent::hasStartChildWorkflowExecutionInitiatedEventAttributes)
            .map(HistoryEvent::getStartChildWorkflowExecutionInitiatedEventAttributes);
    assertThat(children).hasSize(4).allMatch(child -> child.getPriority().getPriorityKey() == 1);
    assertThat(env.history("").findFirst().orElseThrow())
        .matches(
            first -> !first.getWorkflowExecutionStartedEventAttributes().hasPriority(),
            "is as usual");
  }
}
