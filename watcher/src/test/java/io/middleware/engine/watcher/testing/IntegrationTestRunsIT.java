package io.middleware.engine.watcher.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.testing.IntegrationTest;
import io.middleware.engine.process.servers.LocalTemporal;
import io.middleware.engine.watcher.FakeClock;
import io.middleware.engine.watcher.request.RequestRunsContract;
import io.middleware.engine.watcher.testing.TestReconcilers.IntegrationTestRuns;
import io.middleware.engine.workflows.temporal.ChangeSearchAttributes;
import io.middleware.engine.workflows.testing.IntegrationTestRequest;
import org.junit.jupiter.api.Test;

class IntegrationTestRunsIT extends RequestRunsContract<IntegrationTest> {
  private static final FakeClock CLOCK = new FakeClock();

  IntegrationTestRunsIT(LocalTemporal server) {
    super(
        server,
        cluster -> new IntegrationTestRuns(cluster, CLOCK),
        SampleTests.integrationTest(),
        "test/shop/upgrade");
  }

  @Test
  void shouldBeginWithTheFirstRound() {
    // When
    var run = started();
    // Then
    assertThat(run.getWorkflowType()).isEqualTo("IntegrationTestWorkflow");
    assertThat(run.getTaskQueue()).isEqualTo(temporal.cluster + "/engine-tests");
    assertThat(run.getTypedSearchAttributes().get(ChangeSearchAttributes.TASK_TYPE))
        .isEqualTo("IntegrationTest");
    assertThat(input(IntegrationTestRequest.class))
        .isEqualTo(
            new IntegrationTestRequest(
                temporal.cluster, "shop", "upgrade", "uid-upgrade", 1, CLOCK.instant()));
  }
}
