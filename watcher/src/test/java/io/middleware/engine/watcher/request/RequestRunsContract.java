package io.middleware.engine.watcher.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.process.servers.LocalTemporal;
import io.middleware.engine.process.servers.OnTemporal;
import io.middleware.engine.watcher.change.RunsOnTemporal;
import io.temporal.api.enums.v1.EventType;
import io.temporal.client.WorkflowExecutionDescription;
import java.time.Instant;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Of a request's workflow one run is open at a time; starting and cancelling it twice is harmless.
 */
@ExtendWith(OnTemporal.class)
public abstract class RequestRunsContract<T> {
  protected final RunsOnTemporal temporal;
  protected final RequestRuns<T> runs;
  protected final T request;
  private final String workflowId;

  /**
   * @param workflow in a cluster of this name
   * @param workflowId its id, without the cluster
   */
  protected RequestRunsContract(
      LocalTemporal server,
      Function<String, RequestWorkflow<T>> workflow,
      T request,
      String workflowId) {
    this.temporal = new RunsOnTemporal(server);
    this.runs = new TemporalRequestRuns<>(temporal.calls, workflow.apply(temporal.cluster));
    this.request = request;
    this.workflowId = workflowId;
  }

  /** The run that is started, and its workflow. */
  protected final WorkflowExecutionDescription started() {
    assertThat(runs.start(request)).isTrue();
    return temporal.describe(workflowId);
  }

  /** What a run is started with. */
  protected final <I> I input(Class<I> type) {
    return temporal.input(workflowId, type);
  }

  @Test
  void shouldStartOneRun() {
    // When Then
    assertThat(runs.isOpen(request)).isFalse();
    assertThat(runs.start(request)).isTrue();
    assertThat(runs.isOpen(request)).isTrue();
    // and then
    var run = temporal.runId(workflowId);
    assertThat(runs.start(request)).isFalse();
    assertThat(temporal.runId(workflowId)).isEqualTo(run);
  }

  @Test
  void shouldStartAnotherRunAfterTheEnd() {
    // Given
    runs.start(request);
    var ended = temporal.runId(workflowId);
    temporal.end(workflowId);
    // When Then
    assertThat(runs.isOpen(request)).isFalse();
    assertThat(runs.start(request)).isTrue();
    assertThat(temporal.runId(workflowId)).isNotEqualTo(ended);
  }

  @Test
  void shouldCancelARunAndCanDoSoTwice() {
    // Given
    runs.start(request);
    // When
    runs.cancel(request);
    runs.cancel(request);
    // Then
    assertThat(
            temporal.events(workflowId, EventType.EVENT_TYPE_WORKFLOW_EXECUTION_CANCEL_REQUESTED))
        .hasSize(1);
    assertThat(runs.isOpen(request)).as("until it has stopped").isTrue();
  }

  @Test
  void shouldSayThatNoWorkerHasTakenARunOn() {
    // Given
    assertThat(runs.unbegun(request, Instant.MAX)).as("there is none").isEmpty();
    runs.start(request);
    // When Then
    assertThat(runs.unbegun(request, Instant.MAX).orElseThrow())
        .contains("no worker has been free: look whether workers of task queue ");
    assertThat(runs.unbegun(request, Instant.EPOCH)).as("it was started just now").isEmpty();
  }

  @Test
  void shouldHaveNothingToCancelWithoutAnOpenRun() {
    // When Then
    assertThat(runs.cancel(request)).as("there never was one").isFalse();
    // and then
    runs.start(request);
    temporal.end(workflowId);
    assertThat(runs.cancel(request)).isFalse();
  }
}
