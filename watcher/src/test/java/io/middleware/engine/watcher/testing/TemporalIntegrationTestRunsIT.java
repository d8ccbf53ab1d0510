package io.middleware.engine.watcher.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.testing.IntegrationTest;
import io.middleware.engine.process.servers.LocalTemporal;
import io.middleware.engine.watcher.TestClock;
import io.middleware.engine.watcher.testing.TestReconcilers.IntegrationTestRuns;
import io.middleware.engine.workflows.testing.IntegrationTestRequest;
import org.junit.jupiter.api.Test;

class TemporalIntegrationTestRunsIT extends TemporalRunsContract<IntegrationTest> {
  private static final TestClock CLOCK = new TestClock();

  TemporalIntegrationTestRunsIT(LocalTemporal temporal) {
    super(
        temporal,
        cluster -> new IntegrationTestRuns(cluster, CLOCK),
        SampleTests.integrationTest());
  }

  @Override
  protected String workflowId() {
    return "test/shop/upgrade";
  }

  @Test
  void shouldBeginWithTheFirstRound() {
    // When
    start();
    // Then
    assertThat(temporal.input(workflowId(), IntegrationTestRequest.class))
        .isEqualTo(
            new IntegrationTestRequest(
                temporal.cluster, "shop", "upgrade", "uid-upgrade", 1, CLOCK.instant()));
  }
}
