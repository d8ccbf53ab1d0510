package io.middleware.engine.watcher.testing;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.middleware.engine.api.task.WorkflowIds;
import io.middleware.engine.api.testing.IntegrationTest;
import io.middleware.engine.api.testing.LoadTest;
import io.middleware.engine.watcher.request.RequestEnds;
import io.middleware.engine.watcher.request.RequestReconciler;
import io.middleware.engine.watcher.request.RequestSubmission;
import io.middleware.engine.watcher.request.RequestSubmissions;
import io.middleware.engine.watcher.request.RequestWorkflow;
import io.middleware.engine.workflows.port.TaskQueues;
import io.middleware.engine.workflows.temporal.ChangeSearchAttributes;
import io.middleware.engine.workflows.testing.IntegrationTestRequest;
import io.middleware.engine.workflows.testing.IntegrationTestWorkflow;
import io.middleware.engine.workflows.testing.LoadTestRequest;
import io.middleware.engine.workflows.testing.LoadTestWorkflow;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowOptions;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Builds the reconcilers of both kinds of tests.
 *
 * @param cluster its name; may be empty
 */
public record TestReconcilers(RequestSubmissions submissions, String cluster, InstantSource clock) {
  private static final String REMAINS = "objects it created may remain";
  private static final RequestEnds ENDS = RequestEnds.of("Rejected", REMAINS, REMAINS);

  public RequestReconciler<IntegrationTest> integrationTests() {
    return new IntegrationTestReconciler(
        submissions.of(new IntegrationTestKind(), ENDS, new IntegrationTestRuns(cluster, clock)));
  }

  public RequestReconciler<LoadTest> loadTests() {
    return new LoadTestReconciler(
        submissions.of(new LoadTestKind(), ENDS, new LoadTestRuns(cluster)));
  }

  private static WorkflowOptions options(String id, String cluster, HasMetadata test) {
    var meta = test.getMetadata();
    return RequestWorkflow.options(
        id,
        meta.getNamespace(),
        TaskQueues.tests(cluster),
        "%s %s/%s".formatted(test.getKind(), meta.getNamespace(), meta.getName()),
        ChangeSearchAttributes.ofTest(cluster, meta.getNamespace(), test.getKind()));
  }

  static final class IntegrationTestReconciler extends RequestReconciler<IntegrationTest> {
    IntegrationTestReconciler(RequestSubmission<IntegrationTest, ?> submission) {
      super(submission);
    }
  }

  static final class LoadTestReconciler extends RequestReconciler<LoadTest> {
    LoadTestReconciler(RequestSubmission<LoadTest, ?> submission) {
      super(submission);
    }
  }

  record IntegrationTestRuns(String cluster, InstantSource clock)
      implements RequestWorkflow<IntegrationTest> {

    @Override
    public String id(IntegrationTest test) {
      var meta = test.getMetadata();
      return WorkflowIds.integrationTest(cluster, meta.getNamespace(), meta.getName());
    }

    @Override
    public void start(WorkflowClient client, IntegrationTest test) {
      var meta = test.getMetadata();
      var request =
          new IntegrationTestRequest(
              cluster, meta.getNamespace(), meta.getName(), meta.getUid(), 1, clock.instant());
      var options = options(id(test), cluster, test);
      var run = client.newWorkflowStub(IntegrationTestWorkflow.class, options);
      WorkflowClient.start(run::run, request);
    }
  }

  record LoadTestRuns(String cluster) implements RequestWorkflow<LoadTest> {

    @Override
    public String id(LoadTest test) {
      var meta = test.getMetadata();
      return WorkflowIds.loadTest(cluster, meta.getNamespace(), meta.getName());
    }

    @Override
    public void start(WorkflowClient client, LoadTest test) {
      var meta = test.getMetadata();
      var request =
          new LoadTestRequest(
              cluster,
              meta.getNamespace(),
              meta.getName(),
              Optional.of(meta.getUid()),
              Optional.empty());
      var run = client.newWorkflowStub(LoadTestWorkflow.class, options(id(test), cluster, test));
      WorkflowClient.start(run::run, request);
    }
  }
}
