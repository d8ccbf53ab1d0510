package io.middleware.engine.workflows.backup;

import io.middleware.engine.workflows.port.BackupActivities;
import io.middleware.engine.workflows.port.BackupRef;
import io.middleware.engine.workflows.request.BackupRequest;
import io.middleware.engine.workflows.temporal.ActivityPolicy;
import io.middleware.engine.workflows.temporal.FailureCauses;
import io.temporal.activity.ActivityOptions;
import io.temporal.failure.TemporalFailure;
import io.temporal.workflow.Workflow;
import java.time.Duration;

/** {@inheritDoc} */
public final class BackupRemovalWorkflowImpl implements BackupRemovalWorkflow {
  private static final Duration LONGEST = Duration.ofMinutes(10);

  @Override
  public void run(BackupRequest request) {
    var info = Workflow.getInfo();
    var backup =
        new BackupRef(
            request.cluster(),
            request.namespace(),
            request.app(),
            request.backup().orElseThrow(),
            info.getWorkflowId(),
            info.getRunId(),
            false);
    var options =
        ActivityOptions.newBuilder(ActivityPolicy.waiting("delete the copies of " + backup.name()))
            .setScheduleToCloseTimeout(LONGEST)
            .build();
    try {
      Workflow.newActivityStub(BackupActivities.class, options).removeBackup(backup);
    } catch (TemporalFailure e) {
      throw FailureCauses.clean(e);
    }
  }
}
