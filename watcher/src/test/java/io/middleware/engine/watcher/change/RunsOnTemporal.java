package io.middleware.engine.watcher.change;

import io.middleware.engine.process.servers.LocalTemporal;
import io.middleware.engine.watcher.temporal.TemporalCalls;
import io.temporal.api.common.v1.Payloads;
import io.temporal.api.enums.v1.EventType;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.client.WorkflowExecutionDescription;
import io.temporal.client.WorkflowNotFoundException;
import io.temporal.client.WorkflowStub;
import io.temporal.client.schedules.ScheduleClient;
import io.temporal.client.schedules.ScheduleClientOptions;
import io.temporal.client.schedules.ScheduleHandle;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The runs of a cluster whose name nobody else has, on a real Temporal. Nobody carries them out, so
 * one that has been started stays open.
 */
public final class RunsOnTemporal {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** The name of the cluster. */
  public final String cluster = "c-" + UUID.randomUUID().toString().substring(0, 8);

  public final TemporalCalls calls;

  private final LocalTemporal server;

  public RunsOnTemporal(LocalTemporal server) {
    this.calls = new TemporalCalls(server.client(), PATIENCE, () -> true);
    this.server = server;
  }

  /** The newest run of the workflow. */
  public WorkflowStub workflow(String id) {
    return calls.client().newUntypedWorkflowStub(cluster + "/" + id);
  }

  public WorkflowExecutionDescription describe(String id) {
    return workflow(id).describe();
  }

  /** Whether the workflow has an open run. */
  public boolean isOpen(String id) {
    try {
      return describe(id).getStatus() == WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING;
    } catch (WorkflowNotFoundException e) {
      return false;
    }
  }

  /** Whether the newest run of the workflow was asked to stop. */
  public boolean isCancelled(String id) {
    return !events(id, EventType.EVENT_TYPE_WORKFLOW_EXECUTION_CANCEL_REQUESTED).isEmpty();
  }

  public String runId(String id) {
    return describe(id).getExecution().getRunId();
  }

  /** What the newest run of the workflow was started with. */
  public <T> T input(String id, Class<T> type) {
    var started = events(id, EventType.EVENT_TYPE_WORKFLOW_EXECUTION_STARTED).getFirst();
    return read(started.getWorkflowExecutionStartedEventAttributes().getInput(), type);
  }

  /** The events of this type in the history of the newest run of the workflow. */
  public List<HistoryEvent> events(String id, EventType type) {
    return calls.client().fetchHistory(cluster + "/" + id, runId(id)).getEvents().stream()
        .filter(event -> event.getEventType() == type)
        .toList();
  }

  <T> T read(Payloads input, Class<T> type) {
    var converter = calls.client().getOptions().getDataConverter();
    return converter.fromPayloads(0, Optional.of(input), type, type);
  }

  /** The schedule of this id, without the cluster; there may be none. */
  public ScheduleHandle schedule(String id) {
    return schedules().getHandle(cluster + "/" + id);
  }

  public ScheduleClient schedules() {
    var options = calls.client().getOptions();
    return ScheduleClient.newInstance(
        calls.client().getWorkflowServiceStubs(),
        ScheduleClientOptions.newBuilder()
            .setNamespace(options.getNamespace())
            .setDataConverter(options.getDataConverter())
            .build());
  }

  /** Takes the next workflow task of the cluster, as a worker does, and fails it. */
  public void failWorkflowTask() {
    server.failWorkflowTask(cluster + "/engine");
  }

  /** Ends the newest run of the workflow. */
  public void end(String id) {
    workflow(id).terminate("by the test");
  }
}
