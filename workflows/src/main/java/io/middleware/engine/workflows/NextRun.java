package io.middleware.engine.workflows;

import io.middleware.engine.api.task.WorkflowIds;
import io.middleware.engine.workflows.request.ChangeRequest;
import io.middleware.engine.workflows.temporal.ChangeSearchAttributes;
import io.temporal.workflow.ContinueAsNewOptions;
import io.temporal.workflow.Workflow;
import java.util.Collections;
import java.util.List;

/** The run of the same workflow that follows this one. */
final class NextRun {
  private static final String REQUESTS = "requests";

  private NextRun() {}

  /** Ends this run at once; the next one carries out the request. */
  static void start(ChangeRequest request) {
    start(request, List.of());
  }

  /**
   * Ends this run at once; the next one goes on with its change.
   *
   * @param requests what the status shows of operators' requests
   */
  static void start(ChangeRequest request, List<String> requests) {
    Workflow.continueAsNew(
        ContinueAsNewOptions.newBuilder()
            .setTypedSearchAttributes(
                ChangeSearchAttributes.ofChange(
                    WorkflowIds.cluster(Workflow.getInfo().getWorkflowId()), request))
            .setMemo(Collections.singletonMap(REQUESTS, requests.toArray(String[]::new)))
            .build(),
        request);
  }

  /** The operators' requests that the run before this one has passed on. */
  static List<String> carriedRequests() {
    var carried = (String[]) Workflow.getMemo(REQUESTS, String[].class);
    return carried == null ? List.of() : List.of(carried);
  }
}
