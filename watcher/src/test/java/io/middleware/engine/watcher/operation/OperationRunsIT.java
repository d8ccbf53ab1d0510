package io.middleware.engine.watcher.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.operation.Operation;
import io.middleware.engine.process.servers.LocalTemporal;
import io.middleware.engine.watcher.Objects;
import io.middleware.engine.watcher.request.RequestRunsContract;
import io.middleware.engine.workflows.request.ChangeRequest;
import io.middleware.engine.workflows.temporal.ChangeSearchAttributes;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OperationRunsIT extends RequestRunsContract<Operation> {
  OperationRunsIT(LocalTemporal server) {
    super(
        server,
        cluster -> new OperationRuns(cluster, Optional.of(Objects.app(9))),
        SampleOperations.action("report-1", "09:59:00"),
        "op/shop/report-1");
  }

  @Test
  void shouldBeginTheWorkflowOfTheOperation() {
    // When
    var run = started();
    // Then
    assertThat(run.getWorkflowType()).isEqualTo("OperationWorkflow");
    assertThat(run.getTaskQueue()).isEqualTo(temporal.cluster + "/engine");
    assertThat(run.getTypedSearchAttributes().get(ChangeSearchAttributes.CLUSTER))
        .isEqualTo(temporal.cluster);
    // and no edit waits for it
    var work = input(ChangeRequest.class).operation().orElseThrow();
    assertThat(work.ref().name()).isEqualTo("report-1");
    assertThat(work.edit()).isEmpty();
  }
}
