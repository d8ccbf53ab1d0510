package io.middleware.engine.workflows;

import io.middleware.engine.workflows.request.ChangeRequest;
import io.temporal.workflow.ContinueAsNewOptions;
import io.temporal.workflow.Workflow;

/** The run of the same workflow that follows this one. */
final class NextRun {
  private NextRun() {}

  /** Ends this run at once; the next one carries out the request. */
  static void start(ChangeRequest request) {
    var attributes = ChangeSearchAttributes.ofChange(request);
    Workflow.continueAsNew(
        ContinueAsNewOptions.newBuilder().setTypedSearchAttributes(attributes).build(), request);
  }
}
