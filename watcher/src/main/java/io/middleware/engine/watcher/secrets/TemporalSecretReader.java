package io.middleware.engine.watcher.secrets;

import io.middleware.engine.api.task.WorkflowIds;
import io.middleware.engine.watcher.temporal.TemporalCalls;
import io.middleware.engine.watcher.temporal.TemporalUnavailableException;
import io.middleware.engine.workflows.port.SecretActivities.LookedUpApp;
import io.middleware.engine.workflows.port.SecretActivities.SecretLook;
import io.middleware.engine.workflows.port.SecretActivities.SecretsSeen;
import io.middleware.engine.workflows.port.SecretActivities.SeenSecret;
import io.middleware.engine.workflows.port.TaskQueues;
import io.middleware.engine.workflows.secrets.SecretLookWorkflow;
import io.middleware.engine.workflows.temporal.WorkflowPolicy;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowException;
import io.temporal.client.WorkflowExecutionAlreadyStarted;
import io.temporal.client.WorkflowFailedException;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowStub;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Has a worker read them, which may act as the Apps' accounts. One run at a time: one that is still
 * open, of a watcher that has died, ends by its time limit.
 *
 * @param system the namespace of the engine
 */
public record TemporalSecretReader(TemporalCalls calls, String cluster, String system)
    implements SecretReader {
  private static final Duration LONGEST = Duration.ofMinutes(1);

  @Override
  public List<SeenSecret> read(List<LookedUpApp> apps) {
    var run = calls.client().newWorkflowStub(SecretLookWorkflow.class, options());
    var begun =
        calls.withinTimeout(
            () -> {
              try {
                WorkflowClient.start(run::run, new SecretLook(cluster, system, apps));
                return true;
              } catch (WorkflowExecutionAlreadyStarted e) {
                return false;
              }
            });
    return begun ? result(WorkflowStub.fromTyped(run)) : List.of();
  }

  private static List<SeenSecret> result(WorkflowStub run) {
    try {
      return run.getResult(LONGEST.toSeconds(), TimeUnit.SECONDS, SecretsSeen.class).secrets();
    } catch (WorkflowFailedException e) {
      throw e;
    } catch (TimeoutException | WorkflowException e) {
      throw new TemporalUnavailableException("Secrets were not looked up: " + e.getMessage(), e);
    }
  }

  private WorkflowOptions options() {
    return WorkflowOptions.newBuilder()
        .setWorkflowId(WorkflowIds.secrets(cluster, system))
        .setTaskQueue(TaskQueues.engine(cluster))
        .setWorkflowTaskTimeout(WorkflowPolicy.TASK_TIMEOUT)
        .setWorkflowRunTimeout(LONGEST)
        .setStaticSummary("looks whether Secrets of Apps have changed")
        .build();
  }
}
