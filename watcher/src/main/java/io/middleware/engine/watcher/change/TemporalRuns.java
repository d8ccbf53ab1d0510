package io.middleware.engine.watcher.change;

import io.grpc.ConnectivityState;
import io.grpc.Context;
import io.middleware.engine.api.task.WorkflowIds;
import io.middleware.engine.workflows.AppChangeWorkflow;
import io.middleware.engine.workflows.Attributes;
import io.middleware.engine.workflows.ChangeRequest;
import io.middleware.engine.workflows.port.TaskQueues;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowException;
import io.temporal.client.WorkflowNotFoundException;
import io.temporal.client.WorkflowOptions;
import io.temporal.common.SearchAttributes;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Runs of {@link AppChangeWorkflow} on Temporal, one id per App. */
public final class TemporalRuns implements Runs, AutoCloseable {
  private final WorkflowClient client;
  private final Duration patience;
  private final ScheduledExecutorService deadlines =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("temporal-deadline").factory());

  /**
   * @param patience how long one call may take, its repeats included
   */
  public TemporalRuns(WorkflowClient client, Duration patience) {
    this.client = client;
    this.patience = patience;
  }

  @Override
  public void signal(Signal signal) {
    var workflow = client.newWorkflowStub(AppChangeWorkflow.class, options(signal));
    var start = client.newSignalWithStartRequest();
    start.add(workflow::run, (ChangeRequest) null);
    start.add(workflow::changed, signal.request());
    inTime(() -> client.signalWithStart(start));
  }

  @Override
  public boolean isOpen(String namespace, String app) {
    var workflow = client.newUntypedWorkflowStub(WorkflowIds.app(namespace, app));
    return inTime(
        () -> {
          try {
            return workflow.describe().getStatus()
                == WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING;
          } catch (WorkflowNotFoundException e) {
            return false;
          }
        });
  }

  @Override
  public void close() {
    deadlines.shutdownNow();
  }

  private static WorkflowOptions options(Signal signal) {
    var request = signal.request();
    return WorkflowOptions.newBuilder()
        .setWorkflowId(WorkflowIds.app(request.namespace(), request.app()))
        .setTaskQueue(TaskQueues.ENGINE)
        .setStaticSummary(summary(request))
        .setTypedSearchAttributes(searchAttributes(signal))
        .build();
  }

  private static String summary(ChangeRequest request) {
    return "%s/%s generation %d%s"
        .formatted(
            request.namespace(),
            request.app(),
            request.generation(),
            request.deleted() ? ", deletion" : "");
  }

  static SearchAttributes searchAttributes(Signal signal) {
    var attributes = SearchAttributes.newBuilder(Attributes.ofChange(signal.request()));
    if (!signal.plugin().isEmpty()) {
      attributes.set(Attributes.PLUGIN, signal.plugin());
    }
    return attributes.build();
  }

  /**
   * The client itself would repeat a call for a minute, or wait for a connection; here the App's
   * next look repeats it.
   */
  private <T> T inTime(Supplier<T> call) {
    var channel = client.getWorkflowServiceStubs().getRawChannel();
    if (channel.getState(true) == ConnectivityState.TRANSIENT_FAILURE) {
      throw new RunsAwayException("no connection to " + channel.authority(), null);
    }
    var limited =
        Context.current().withDeadlineAfter(patience.toMillis(), TimeUnit.MILLISECONDS, deadlines);
    var outer = limited.attach();
    try {
      return call.get();
    } catch (WorkflowException e) {
      throw new RunsAwayException(e.getCause() == null ? e.toString() : e.getCause().toString(), e);
    } finally {
      limited.detachAndCancel(outer, null);
    }
  }
}
