package io.middleware.engine.workflows.secrets;

import io.middleware.engine.workflows.port.SecretActivities;
import io.middleware.engine.workflows.port.SecretActivities.SecretLook;
import io.middleware.engine.workflows.port.SecretActivities.SecretsSeen;
import io.middleware.engine.workflows.temporal.ActivityPolicy;
import io.middleware.engine.workflows.temporal.FailureCauses;
import io.temporal.activity.ActivityOptions;
import io.temporal.common.RetryOptions;
import io.temporal.failure.TemporalFailure;
import io.temporal.workflow.Workflow;

/** Tries once: the watcher soon asks again. */
public final class SecretLookWorkflowImpl implements SecretLookWorkflow {
  private static final RetryOptions ONCE = RetryOptions.newBuilder().setMaximumAttempts(1).build();

  @Override
  public SecretsSeen run(SecretLook look) {
    var options =
        ActivityOptions.newBuilder(ActivityPolicy.step("read the versions of Secrets"))
            .setRetryOptions(ONCE)
            .build();
    try {
      return Workflow.newActivityStub(SecretActivities.class, options).look(look);
    } catch (TemporalFailure e) {
      throw FailureCauses.clean(e);
    }
  }
}
