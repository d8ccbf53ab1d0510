package io.middleware.engine.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.middleware.engine.process.trace.TraceCollector;
import io.middleware.engine.process.trace.TraceCollector.CollectedSpan;
import io.middleware.engine.process.trace.Tracing;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityOptions;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowClientOptions;
import io.temporal.client.WorkflowOptions;
import io.temporal.common.interceptors.WorkflowClientInterceptor;
import io.temporal.workflow.SignalMethod;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Traces of a watcher and a worker that share one Temporal. */
class TracesIT {
  private static final String QUEUE = "traces";
  private static final String ID = "app/shop/cache";
  private static final Pattern EVENT_TYPE = Pattern.compile("\"eventType\":\\s*\"(\\w+)\"");

  private final Steps steps = new NoSteps();
  private final List<AutoCloseable> opened = new ArrayList<>();
  private TraceCollector collector;
  private WorkflowClient watcher;

  @BeforeEach
  void collect() throws IOException {
    collector = new TraceCollector();
  }

  @AfterEach
  void close() throws Exception {
    for (var resource : opened.reversed()) {
      resource.close();
    }
    collector.close();
  }

  @Test
  void shouldTraceAChangeFromItsStartToItsSteps() {
    // Given
    start(collector.environment());
    // When
    edit("7.2");
    awaitEnd();
    // Then
    var names =
        List.of(
            "SignalWithStartWorkflow:Change",
            "RunWorkflow:Change",
            "StartChildWorkflow:Part",
            "RunWorkflow:Part",
            "StartActivity:Replace",
            "RunActivity:Replace");
    await()
        .untilAsserted(
            () -> assertThat(collector.spans()).extracting(CollectedSpan::name).containsAll(names));
    assertThat(collector.spans())
        .filteredOn(span -> names.contains(span.name()))
        .extracting(CollectedSpan::trace)
        .containsOnly(collector.spans("SignalWithStart").getFirst().trace());
    assertThat(collector.spans("SignalWithStart"))
        .allSatisfy(span -> assertThat(span.service()).isEqualTo("middleware-watcher"));
    assertThat(collector.spans("Run"))
        .allSatisfy(span -> assertThat(span.service()).isEqualTo("middleware-worker"));
  }

  @Test
  void shouldCostNothingWhenItIsOff() {
    // Given
    start(Map.of());
    edit("7.2");
    awaitEnd();
    var without = history();
    // When
    start(collector.environment());
    edit("7.2");
    awaitEnd();
    var with = history();
    // Then
    assertThat(without).doesNotContain("_tracer-data");
    assertThat(with).contains("_tracer-data");
    assertThat(eventTypes(with)).isEqualTo(eventTypes(without));
  }

  @Test
  void shouldCarryOutChangesWithoutTheCollector() throws IOException {
    // Given
    int free;
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      free = socket.getLocalPort();
    }
    start(TraceCollector.environment(free));
    // When
    edit("7.2");
    // Then
    awaitEnd();
    assertThat(eventTypes(history())).last().asString().endsWith("WORKFLOW_EXECUTION_COMPLETED");
  }

  private void start(Map<String, String> environment) {
    var ofWatcher = opened(Tracing.open("watcher", environment));
    var ofWorker = opened(Tracing.open("worker", environment));
    var client =
        WorkflowClientOptions.newBuilder()
            .setInterceptors(
                ofWatcher.clientInterceptors().toArray(WorkflowClientInterceptor[]::new))
            .build();
    var temporal = InMemoryTemporal.with(client, TemporalWorkers.interceptors(ofWorker));
    opened.add(temporal::close);
    var worker = temporal.newWorker(QUEUE);
    worker.registerWorkflowImplementationTypes(ChangeImpl.class, PartImpl.class);
    worker.registerActivitiesImplementations(steps);
    temporal.start();
    watcher = temporal.getWorkflowClient();
  }

  private Tracing opened(Tracing tracing) {
    opened.add(tracing);
    return tracing;
  }

  private void edit(String version) {
    var options = WorkflowOptions.newBuilder().setTaskQueue(QUEUE).setWorkflowId(ID).build();
    var change = watcher.newWorkflowStub(Change.class, options);
    var start = watcher.newSignalWithStartRequest();
    start.add(change::run, (String) null);
    start.add(change::changed, version);
    watcher.signalWithStart(start);
  }

  private void awaitEnd() {
    watcher.newUntypedWorkflowStub(ID).getResult(Void.class);
  }

  private String history() {
    return watcher.fetchHistory(ID).toJson(false);
  }

  private static List<String> eventTypes(String history) {
    return EVENT_TYPE
        .matcher(history)
        .results()
        .map((MatchResult event) -> event.group(1))
        .toList();
  }

  @WorkflowInterface
  public interface Change {
    @WorkflowMethod
    void run(String carried);

    @SignalMethod
    void changed(String version);
  }

  @WorkflowInterface
  public interface Part {
    @WorkflowMethod
    void run(String version);
  }

  @ActivityInterface
  public interface Steps {
    void replace(String version);
  }

  public static final class ChangeImpl implements Change {
    private final List<String> edits = new ArrayList<>();

    @Override
    public void run(String carried) {
      Workflow.await(() -> !edits.isEmpty());
      Workflow.newChildWorkflowStub(Part.class).run(edits.getFirst());
    }

    @Override
    public void changed(String version) {
      edits.add(version);
    }
  }

  public static final class PartImpl implements Part {
    @Override
    public void run(String version) {
      var options =
          ActivityOptions.newBuilder().setStartToCloseTimeout(Duration.ofMinutes(1)).build();
      Workflow.newActivityStub(Steps.class, options).replace(version);
    }
  }

  private static final class NoSteps implements Steps {
    @Override
    public void replace(String version) {}
  }
}
