package io.middleware.engine.watcher.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.testing.LoadTest;
import io.middleware.engine.process.servers.LocalTemporal;
import io.middleware.engine.watcher.request.RequestRunsContract;
import io.middleware.engine.watcher.testing.TestReconcilers.LoadTestRuns;
import io.middleware.engine.workflows.temporal.ChangeSearchAttributes;
import io.middleware.engine.workflows.testing.LoadTestRequest;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LoadTestRunsIT extends RequestRunsContract<LoadTest> {
  LoadTestRunsIT(LocalTemporal server) {
    super(server, LoadTestRuns::new, SampleTests.loadTest(), "load/shop/benchmark");
  }

  @Test
  void shouldSayWhichTestItIs() {
    // When
    var run = started();
    // Then
    assertThat(run.getWorkflowType()).isEqualTo("LoadTestWorkflow");
    assertThat(run.getTaskQueue()).isEqualTo(temporal.cluster + "/engine-tests");
    assertThat(run.getTypedSearchAttributes().get(ChangeSearchAttributes.TASK_TYPE))
        .isEqualTo("LoadTest");
    assertThat(input(LoadTestRequest.class))
        .isEqualTo(
            new LoadTestRequest(
                temporal.cluster,
                "shop",
                "benchmark",
                Optional.of("uid-benchmark"),
                Optional.empty()));
  }
}
