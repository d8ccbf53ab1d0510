package io.middleware.engine.workflows.component;

import static io.middleware.engine.workflows.temporal.ActivityPolicy.waiting;

import io.middleware.engine.workflows.port.OperationActivities;
import io.middleware.engine.workflows.port.TaskRef;
import io.temporal.workflow.Workflow;

/** Rotates the secrets of a component. Between the two steps, clients take up the new ones. */
record SecretRotation(TaskRef task) {

  void run() {
    var published = operation("publish secrets of " + task.component()).publishSecrets(task);
    Workflow.sleep(published.grace());
    operation("retire secrets of " + task.component()).retireSecrets(task);
  }

  private static OperationActivities operation(String summary) {
    return Workflow.newActivityStub(OperationActivities.class, waiting(summary));
  }
}
