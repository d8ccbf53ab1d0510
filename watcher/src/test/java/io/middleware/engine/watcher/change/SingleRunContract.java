package io.middleware.engine.watcher.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.middleware.engine.process.servers.LocalTemporal;
import io.middleware.engine.process.servers.OnTemporal;
import io.temporal.api.enums.v1.EventType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Of a workflow one run is open at a time; starting and cancelling it twice does no harm. */
@ExtendWith(OnTemporal.class)
public abstract class SingleRunContract {
  protected final RunsOnTemporal temporal;

  protected SingleRunContract(LocalTemporal server) {
    this.temporal = new RunsOnTemporal(server);
  }

  /** Id of the workflow, without the cluster. */
  protected abstract String workflowId();

  /** Whether this call has started the run. */
  protected abstract boolean start();

  protected abstract boolean isOpen();

  protected abstract void cancel();

  @Test
  void shouldStartOneRun() {
    // When Then
    assertThat(isOpen()).isFalse();
    assertThat(start()).isTrue();
    assertThat(isOpen()).isTrue();
    // and then
    var run = temporal.runId(workflowId());
    assertThat(start()).isFalse();
    assertThat(temporal.runId(workflowId())).isEqualTo(run);
  }

  @Test
  void shouldStartAnotherRunAfterTheEnd() {
    // Given
    start();
    var ended = temporal.runId(workflowId());
    temporal.end(workflowId());
    // When Then
    assertThat(isOpen()).isFalse();
    assertThat(start()).isTrue();
    assertThat(temporal.runId(workflowId())).isNotEqualTo(ended);
  }

  @Test
  void shouldCancelARunAndCanDoSoTwice() {
    // Given
    start();
    // When
    cancel();
    cancel();
    // Then
    assertThat(
            temporal.events(workflowId(), EventType.EVENT_TYPE_WORKFLOW_EXECUTION_CANCEL_REQUESTED))
        .hasSize(1);
    assertThat(isOpen()).as("until it has stopped").isTrue();
  }

  @Test
  void shouldHaveNothingToCancelWithoutAnOpenRun() {
    // When Then
    assertThatCode(this::cancel).as("there never was one").doesNotThrowAnyException();
    // and then
    start();
    temporal.end(workflowId());
    assertThatCode(this::cancel).doesNotThrowAnyException();
  }
}
