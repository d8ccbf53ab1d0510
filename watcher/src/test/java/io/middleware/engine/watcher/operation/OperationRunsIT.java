package io.middleware.engine.watcher.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.Operation;
import io.middleware.engine.process.servers.LocalTemporal;
import io.middleware.engine.watcher.Objects;
import io.middleware.engine.watcher.change.SingleRunContract;
import io.middleware.engine.watcher.request.RequestRuns;
import io.middleware.engine.watcher.request.TemporalRequestRuns;
import io.middleware.engine.watcher.request.WorkflowRuns;
import io.middleware.engine.workflows.temporal.ChangeSearchAttributes;
import io.middleware.engine.workflows.request.ChangeRequest;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OperationRunsIT extends SingleRunContract {
  private final Operation report = TestOperations.action("report-1", "09:59:00");
  private final RequestRuns<Operation> runs;

  OperationRunsIT(LocalTemporal server) {
    super(server);
    this.runs =
        new TemporalRequestRuns<>(
            new WorkflowRuns(temporal.calls),
            new OperationRuns(temporal.cluster, Optional.of(Objects.app(9))));
  }

  @Test
  void shouldBeginTheWorkflowOfTheOperation() {
    // When
    start();
    // Then
    var run = temporal.describe(workflowId());
    assertThat(run.getWorkflowType()).isEqualTo("OperationWorkflow");
    assertThat(run.getTaskQueue()).isEqualTo(temporal.cluster + "/engine");
    assertThat(run.getTypedSearchAttributes().get(ChangeSearchAttributes.CLUSTER))
        .isEqualTo(temporal.cluster);
    // and none waits for it
    var work = temporal.input(workflowId(), ChangeRequest.class).operation().orElseThrow();
    assertThat(work.ref().name()).isEqualTo("report-1");
    assertThat(work.edit()).isEmpty();
  }

  @Override
  protected String workflowId() {
    return "op/shop/report-1";
  }

  @Override
  protected boolean start() {
    return runs.start(report);
  }

  @Override
  protected boolean isOpen() {
    return runs.isOpen(report);
  }

  @Override
  protected void cancel() {
    runs.cancel(report);
  }
}
