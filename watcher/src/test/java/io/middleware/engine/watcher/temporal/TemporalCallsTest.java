package io.middleware.engine.watcher.temporal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Status;
import io.middleware.engine.process.servers.LocalTemporal;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowExecutionDescription;
import io.temporal.client.schedules.ScheduleException;
import io.temporal.serviceclient.WorkflowServiceStubs;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Calls of a Temporal that is not there, or does not answer. */
class TemporalCallsTest {
  private static final Duration TIMEOUT = Duration.ofMillis(100);

  private ServerSocket silent;
  private WorkflowServiceStubs stubs;
  private TemporalCalls calls;
  private boolean own = true;

  @BeforeEach
  void open() throws IOException {
    silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    stubs = LocalTemporal.connect(silent.getLocalPort());
    calls = new TemporalCalls(WorkflowClient.newInstance(stubs), TIMEOUT, () -> own);
  }

  @AfterEach
  void close() throws IOException {
    calls.close();
    stubs.shutdownNow();
    silent.close();
  }

  @Test
  void shouldNotWaitLongForAnAnswer() {
    assertThatThrownBy(this::describe)
        .isInstanceOf(TemporalUnavailableException.class)
        .hasMessageContaining("DEADLINE_EXCEEDED");
  }

  @Test
  void shouldNotTryWhileThereIsNoConnection() throws IOException {
    // Given
    silent.close();
    // When Then
    Awaitility.await()
        .untilAsserted(
            () ->
                assertThatThrownBy(this::describe)
                    .isInstanceOf(TemporalUnavailableException.class)
                    .hasMessageStartingWith("no connection to 127.0.0.1:"));
  }

  @Test
  void shouldAskNothingBeforeItIsKnownWhoseRunsThereAre() {
    // Given
    own = false;
    // When Then
    assertThatThrownBy(() -> calls.withinTimeout(() -> "asked"))
        .isInstanceOf(TemporalUnavailableException.class)
        .hasMessageContaining("another cluster has this cluster's name");
    // and then
    own = true;
    assertThat(calls.withinTimeout(() -> "asked")).isEqualTo("asked");
  }

  @Test
  void shouldSayWhyAScheduleCannotBeRead() {
    // Given
    var cause = Status.RESOURCE_EXHAUSTED.withDescription("too many").asRuntimeException();
    // When Then
    assertThatThrownBy(
            () ->
                calls.withinTimeout(
                    () -> {
                      throw new ScheduleException(cause);
                    }))
        .isInstanceOf(TemporalUnavailableException.class)
        .hasMessageContaining("too many")
        .hasCauseInstanceOf(ScheduleException.class);
  }

  private WorkflowExecutionDescription describe() {
    return calls.withinTimeout(calls.client().newUntypedWorkflowStub("app/shop/cache")::describe);
  }
}
