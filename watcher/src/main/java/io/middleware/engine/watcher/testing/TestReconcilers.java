package io.middleware.engine.watcher.testing;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.api.task.WorkflowIds;
import io.middleware.engine.api.testing.IntegrationTest;
import io.middleware.engine.api.testing.LoadTest;
import io.middleware.engine.watcher.change.TemporalCalls;
import io.middleware.engine.watcher.testing.TemporalRuns.TestWorkflow;
import io.middleware.engine.workflows.testing.IntegrationTestRequest;
import io.middleware.engine.workflows.testing.IntegrationTestWorkflow;
import io.middleware.engine.workflows.testing.LoadTestRequest;
import io.middleware.engine.workflows.testing.LoadTestWorkflow;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowOptions;
import java.time.InstantSource;
import java.util.Optional;

/** Builds the reconcilers of both kinds of tests. */
public final class TestReconcilers {
  private final KubernetesClient client;
  private final TemporalCalls calls;
  private final String cluster;
  private final InstantSource clock;

  /**
   * @param cluster its name; may be empty
   */
  public TestReconcilers(
      KubernetesClient client, TemporalCalls calls, String cluster, InstantSource clock) {
    this.client = client;
    this.calls = calls;
    this.cluster = cluster;
    this.clock = clock;
  }

  public IntegrationTestReconciler integrationTests() {
    return new IntegrationTestReconciler(
        submission(new IntegrationTests(), new IntegrationTestRuns(cluster, clock)));
  }

  public LoadTestReconciler loadTests() {
    return new LoadTestReconciler(submission(new LoadTests(), new LoadTestRuns(cluster)));
  }

  private <T extends HasMetadata> TestSubmission<T> submission(
      TestKind<T> kind, TestWorkflow<T> workflow) {
    return new TestSubmission<>(
        kind,
        new TemporalRuns<>(calls, cluster, workflow),
        new LiveTests<>(client, kind.type()),
        clock);
  }

  record IntegrationTestRuns(String cluster, InstantSource clock)
      implements TestWorkflow<IntegrationTest> {

    @Override
    public String id(String namespace, String name) {
      return WorkflowIds.integrationTest(cluster, namespace, name);
    }

    @Override
    public void start(WorkflowClient client, WorkflowOptions options, IntegrationTest test) {
      var meta = test.getMetadata();
      var request =
          new IntegrationTestRequest(
              cluster, meta.getNamespace(), meta.getName(), meta.getUid(), 1, clock.instant());
      var run = client.newWorkflowStub(IntegrationTestWorkflow.class, options);
      WorkflowClient.start(run::run, request);
    }
  }

  record LoadTestRuns(String cluster) implements TestWorkflow<LoadTest> {

    @Override
    public String id(String namespace, String name) {
      return WorkflowIds.loadTest(cluster, namespace, name);
    }

    @Override
    public void start(WorkflowClient client, WorkflowOptions options, LoadTest test) {
      var meta = test.getMetadata();
      var request =
          new LoadTestRequest(
              cluster,
              meta.getNamespace(),
              meta.getName(),
              Optional.of(meta.getUid()),
              Optional.empty());
      var run = client.newWorkflowStub(LoadTestWorkflow.class, options);
      WorkflowClient.start(run::run, request);
    }
  }
}
