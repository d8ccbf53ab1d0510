package io.middleware.engine.worker;

import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.api.task.WorkflowIds;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.workflows.backup.BackupRemovalWorkflow;
import io.middleware.engine.workflows.port.BackupRef;
import io.middleware.engine.workflows.port.BackupStep;
import io.middleware.engine.workflows.port.ChangeStep;
import io.middleware.engine.workflows.port.SecretActivities.SecretLook;
import io.middleware.engine.workflows.testing.port.TestRef;
import io.middleware.engine.workflows.testing.port.TestWork;
import io.temporal.activity.ActivityExecutionContext;
import io.temporal.activity.ActivityInfo;
import io.temporal.common.interceptors.ActivityInboundCallsInterceptor;
import io.temporal.common.interceptors.ActivityInboundCallsInterceptorBase;
import io.temporal.common.interceptors.WorkerInterceptorBase;
import java.util.stream.Stream;

/**
 * Refuses a step that a foreign workflow asks for. A step names its App and the run of the App's
 * workflow; only that run asks for it, or, unless it is a step of the App's own, a workflow whose
 * id is below that of the App. A step of a backup is likewise asked for by the run that it names,
 * whose id is that of the Backup or of the App's schedule. The work of a test is asked for by the
 * run that it names, whose id is below those of the tests of the namespace. Secrets are looked up
 * for the one workflow that does nothing else. Whoever may start workflows in the engine's
 * namespace can choose such an id: this keeps mistakes out, and the rights on the namespace keep
 * people out.
 */
final class StepOrigin extends WorkerInterceptorBase {
  private final String cluster;

  /**
   * @param cluster the name of this worker's cluster: it carries out no step for another's App of
   *     the same name
   */
  StepOrigin(String cluster) {
    this.cluster = cluster;
  }

  @Override
  public ActivityInboundCallsInterceptor interceptActivity(ActivityInboundCallsInterceptor next) {
    return new CheckingInterceptor(next, cluster);
  }

  private static final class CheckingInterceptor extends ActivityInboundCallsInterceptorBase {
    private final String cluster;
    private ActivityInfo info;

    CheckingInterceptor(ActivityInboundCallsInterceptor next, String cluster) {
      super(next);
      this.cluster = cluster;
    }

    @Override
    public void init(ActivityExecutionContext context) {
      info = context.getInfo();
      super.init(context);
    }

    @Override
    public ActivityOutput execute(ActivityInput input) {
      if (Stream.of(input.getArguments()).noneMatch(this::isOwn)) {
        throw Faults.of(
            FaultKind.FORBIDDEN,
            "workflow %s may not ask for %s: it does not belong to the run of the App, Backup or test that the step names"
                .formatted(info.getWorkflowId(), info.getActivityType()));
      }
      return super.execute(input);
    }

    private boolean isOwn(Object argument) {
      return switch (argument) {
        case ChangeStep step -> isOwn(step);
        case BackupStep step -> isOwn(step.backup());
        case TestWork work -> isOwn(work.test());
        case SecretLook look -> isOwn(look);
        case null, default -> false;
      };
    }

    private boolean isOwn(SecretLook look) {
      return look.cluster().equals(cluster)
          && info.getWorkflowId().equals(WorkflowIds.secrets(cluster, look.system()));
    }

    private boolean isOwn(BackupRef backup) {
      var own = WorkflowIds.backup(cluster, backup.namespace(), backup.name());
      var schedule = WorkflowIds.backup(cluster, backup.namespace(), backup.app());
      var id = info.getWorkflowId();
      return backup.cluster().equals(cluster)
          && backup.workflowId().equals(id)
          && backup.runId().equals(info.getWorkflowRunId())
          && (backup.scheduled()
              ? id.startsWith(schedule + "-")
              : id.equals(own) || id.equals(own + BackupRemovalWorkflow.SUFFIX));
    }

    /** The load of a step has a run of its own, which is a child of the IntegrationTest. */
    private boolean isOwn(TestRef test) {
      var id = info.getWorkflowId();
      return test.cluster().equals(cluster)
          && test.workflowId().equals(id)
          && test.runId().equals(info.getWorkflowRunId())
          && (id.startsWith(WorkflowIds.integrationTest(cluster, test.namespace(), ""))
              || id.startsWith(WorkflowIds.loadTest(cluster, test.namespace(), "")));
    }

    private boolean isOwn(ChangeStep step) {
      var app = step.change().workflowId();
      if (!step.change().cluster().equals(cluster)) {
        return false;
      }
      return (info.getWorkflowId().equals(app)
              && info.getWorkflowRunId().equals(step.change().runId()))
          || (info.getWorkflowId().startsWith(app + "/") && !step.fromAppWorkflow());
    }
  }
}
