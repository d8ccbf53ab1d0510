package io.middleware.engine.watcher.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.testing.LoadTest;
import io.middleware.engine.process.servers.LocalTemporal;
import io.middleware.engine.watcher.testing.TestReconcilers.LoadTestRuns;
import io.middleware.engine.workflows.testing.LoadTestRequest;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TemporalLoadTestRunsIT extends TemporalRunsContract<LoadTest> {
  TemporalLoadTestRunsIT(LocalTemporal temporal) {
    super(temporal, cluster -> new LoadTestRuns(cluster), SampleTests.loadTest());
  }

  @Override
  protected String workflowId() {
    return "load/shop/benchmark";
  }

  @Test
  void shouldSayWhichTestItIs() {
    // When
    start();
    // Then
    assertThat(temporal.input(workflowId(), LoadTestRequest.class))
        .isEqualTo(
            new LoadTestRequest(
                temporal.cluster,
                "shop",
                "benchmark",
                Optional.of("uid-benchmark"),
                Optional.empty()));
  }
}
