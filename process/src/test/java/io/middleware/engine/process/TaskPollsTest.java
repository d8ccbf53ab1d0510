package io.middleware.engine.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowOptions;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import io.temporal.testserver.TestServer;
import io.temporal.testserver.TestServer.PortBoundTestServer;
import io.temporal.worker.WorkerFactory;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TaskPollsTest {
  private static final String QUEUE = "queue";
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @WorkflowInterface
  public interface Nothing {
    @WorkflowMethod
    void run();
  }

  public static final class NothingImpl implements Nothing {
    @Override
    public void run() {
      // ends at once
    }
  }

  private final AtomicLong now = new AtomicLong();
  private final TaskPolls polls = new TaskPolls(now::get);
  private PortBoundTestServer temporal;
  private WorkflowServiceStubs stubs;
  private WorkflowClient client;
  private WorkerFactory workers;

  @BeforeEach
  void begin() throws IOException {
    try (var socket = new ServerSocket(0)) {
      var port = socket.getLocalPort();
      socket.close();
      temporal = TestServer.createPortBoundServer(port);
      stubs =
          WorkflowServiceStubs.newServiceStubs(
              WorkflowServiceStubsOptions.newBuilder()
                  .setTarget("127.0.0.1:" + port)
                  .setGrpcClientInterceptors(List.of(polls))
                  .build());
    }
    client = WorkflowClient.newInstance(stubs);
    workers = WorkerFactory.newInstance(client);
    workers.newWorker(QUEUE).registerWorkflowImplementationTypes(NothingImpl.class);
  }

  @AfterEach
  void end() {
    workers.shutdownNow();
    stubs.shutdownNow();
    temporal.close();
  }

  @Test
  void shouldWaitForTheWorkersToBegin() {
    pass(Duration.ofHours(1));
    assertThat(problem()).isEmpty();
  }

  @Test
  void shouldReportThatNobodyPolls() {
    // Given
    workers.start();
    carryOutATask();
    workers.shutdown();
    workers.awaitTermination(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    assertThat(problem()).isEmpty();
    // When
    pass(Duration.ofMinutes(6));
    // Then
    assertThat(problem()).contains("no poll for tasks has begun or ended for 360 s");
  }

  @Test
  void shouldCountAPollThatEnds() {
    // Given
    workers.start();
    carryOutATask();
    pass(Duration.ofMinutes(6));
    // When
    carryOutATask();
    // Then
    assertThat(problem()).isEmpty();
  }

  @Test
  void shouldNotTakeALostTemporalForIdleness() {
    // Given
    workers.start();
    carryOutATask();
    // When
    temporal.close();
    for (var minutes = 0; minutes < 30; minutes += 6) {
      pass(Duration.ofMinutes(6));
      // Then
      await().atMost(PATIENCE).until(() -> problem().isEmpty());
    }
  }

  private Optional<String> problem() {
    return polls.check().look().get().problem();
  }

  private void pass(Duration time) {
    now.addAndGet(time.toNanos());
  }

  private void carryOutATask() {
    client
        .newWorkflowStub(Nothing.class, WorkflowOptions.newBuilder().setTaskQueue(QUEUE).build())
        .run();
  }
}
