package io.middleware.engine.watcher.change;

import io.middleware.engine.api.task.WorkflowIds;
import io.middleware.engine.watcher.change.ControlRequest.ApprovePlan;
import io.middleware.engine.watcher.change.ControlRequest.CancelChange;
import io.middleware.engine.watcher.change.ControlRequest.CancelTasks;
import io.middleware.engine.watcher.change.ControlRequest.RetryTasks;
import io.middleware.engine.watcher.change.RequestAnswer.Accepted;
import io.middleware.engine.watcher.change.RequestAnswer.NoRun;
import io.middleware.engine.watcher.change.RequestAnswer.NotYet;
import io.middleware.engine.watcher.change.RequestAnswer.Refused;
import io.middleware.engine.watcher.temporal.TemporalCalls;
import io.middleware.engine.workflows.AppChangeWorkflow;
import io.middleware.engine.workflows.port.TaskQueues;
import io.middleware.engine.workflows.request.ChangeRequest;
import io.middleware.engine.workflows.temporal.ChangeSearchAttributes;
import io.middleware.engine.workflows.temporal.TaskPriority;
import io.middleware.engine.workflows.temporal.WorkflowPolicy;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import io.temporal.client.UpdateOptions;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowExecutionAlreadyStarted;
import io.temporal.client.WorkflowExecutionDescription;
import io.temporal.client.WorkflowNotFoundException;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowUpdateException;
import io.temporal.client.WorkflowUpdateHandle;
import io.temporal.client.WorkflowUpdateStage;
import io.temporal.failure.ApplicationFailure;
import java.util.Optional;

/** Starts, signals and queries the runs of {@link AppChangeWorkflow}, one workflow id per App. */
public final class TemporalChangeRuns implements ChangeRuns {

  /** Workers may die or be replaced meanwhile. */
  private static final int FEW_ATTEMPTS = 3;

  private final TemporalCalls calls;
  private final WorkflowClient client;
  private final String cluster;

  /**
   * @param cluster its name; may be empty
   */
  public TemporalChangeRuns(TemporalCalls calls, String cluster) {
    this.calls = calls;
    this.client = calls.client();
    this.cluster = cluster;
  }

  @Override
  public void signal(ChangeSignal signal) {
    var workflow = client.newWorkflowStub(AppChangeWorkflow.class, options(cluster, signal));
    var start = client.newSignalWithStartRequest();
    start.add(workflow::run, (ChangeRequest) null);
    start.add(workflow::changed, signal.request());
    calls.withinTimeout(() -> client.signalWithStart(start));
  }

  @Override
  public RequestAnswer request(String namespace, String app, String id, ControlRequest control) {
    var workflowId = WorkflowIds.app(cluster, namespace, app);
    return calls.withinTimeout(
        () -> {
          try {
            return new Accepted(update(workflowId, id, control).getResult());
          } catch (WorkflowNotFoundException e) {
            return new NoRun();
          } catch (WorkflowUpdateException e) {
            return refusal(e);
          }
        });
  }

  private WorkflowUpdateHandle<String> update(
      String workflowId, String id, ControlRequest control) {
    var run = client.newWorkflowStub(AppChangeWorkflow.class, workflowId);
    var options =
        UpdateOptions.newBuilder(String.class)
            .setUpdateId(id)
            .setWaitForStage(WorkflowUpdateStage.COMPLETED)
            .build();
    return switch (control) {
      case ApprovePlan(var plan) -> WorkflowClient.startUpdate(run::approve, plan, options);
      case CancelChange(var scope) -> WorkflowClient.startUpdate(run::cancelChange, scope, options);
      case CancelTasks(var tasks) -> WorkflowClient.startUpdate(run::cancelTasks, tasks, options);
      case RetryTasks(var tasks) -> WorkflowClient.startUpdate(run::retryTasks, tasks, options);
    };
  }

  private static RequestAnswer refusal(WorkflowUpdateException refusal) {
    if (!(refusal.getCause() instanceof ApplicationFailure failure)) {
      return new Refused(String.valueOf(refusal.getCause()));
    }
    return AppChangeWorkflow.NOT_YET.equals(failure.getType())
        ? new NotYet()
        : new Refused(failure.getOriginalMessage());
  }

  @Override
  public boolean start(ChangeSignal change) {
    var workflow = client.newWorkflowStub(AppChangeWorkflow.class, options(cluster, change));
    return calls.withinTimeout(
        () -> {
          try {
            WorkflowClient.start(workflow::run, change.request());
            return true;
          } catch (WorkflowExecutionAlreadyStarted e) {
            return false;
          }
        });
  }

  @Override
  public Optional<OpenRun> openRun(String namespace, String app) {
    var workflow = client.newUntypedWorkflowStub(WorkflowIds.app(cluster, namespace, app));
    return calls.withinTimeout(
        () -> {
          try {
            return Optional.of(workflow.describe())
                .filter(
                    newest ->
                        newest.getStatus()
                            == WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING)
                .map(this::openRun);
          } catch (WorkflowNotFoundException e) {
            return Optional.empty();
          }
        });
  }

  private OpenRun openRun(WorkflowExecutionDescription open) {
    return new OpenRun(open.getExecution().getRunId(), trouble(open));
  }

  private Optional<String> trouble(WorkflowExecutionDescription open) {
    var type = AppChangeWorkflow.class.getSimpleName();
    if (!type.equals(open.getWorkflowType())) {
      return Optional.of(
          "it is a workflow of type %s, not %s".formatted(open.getWorkflowType(), type));
    }
    var queue = TaskQueues.engine(cluster);
    if (!queue.equals(open.getTaskQueue())) {
      return Optional.of("it is on task queue %s, not %s".formatted(open.getTaskQueue(), queue));
    }
    var attempt = open.getRawDescription().getPendingWorkflowTask().getAttempt();
    return attempt > FEW_ATTEMPTS
        ? Optional.of("its workflow task has been tried %d times".formatted(attempt))
        : Optional.empty();
  }

  /** What the run of a change or an Operation is started with. */
  public static WorkflowOptions options(String cluster, ChangeSignal signal) {
    var request = signal.request();
    return WorkflowOptions.newBuilder()
        .setWorkflowId(request.workflowId(cluster))
        .setTaskQueue(TaskQueues.engine(cluster))
        .setWorkflowTaskTimeout(WorkflowPolicy.TASK_TIMEOUT)
        .setStaticSummary(summary(request))
        .setPriority(
            isNew(request)
                ? TaskPriority.of(request.namespace())
                : TaskPriority.ofExistingApp(request.namespace()))
        .setTypedSearchAttributes(ChangeSearchAttributes.ofChange(cluster, request))
        .build();
  }

  private static boolean isNew(ChangeRequest request) {
    return request.work().firstOfItsApp() && !request.deleted();
  }

  private static String summary(ChangeRequest request) {
    return "%s/%s %s%s"
        .formatted(
            request.namespace(),
            request.app(),
            request.work().subject(),
            request.deleted() ? ", deletion" : "");
  }
}
