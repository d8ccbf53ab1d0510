package io.middleware.engine.workflows.secrets;

import io.middleware.engine.workflows.port.SecretActivities.SecretLook;
import io.middleware.engine.workflows.port.SecretActivities.SecretsSeen;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;

/** Reads once which versions some Secrets have; the watcher waits for the result. */
@WorkflowInterface
public interface SecretLookWorkflow {

  @WorkflowMethod
  SecretsSeen run(SecretLook look);
}
