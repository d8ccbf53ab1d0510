package io.middleware.engine.watcher.change;

import static io.middleware.engine.watcher.Objects.app;
import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.task.OperationAction;
import io.middleware.engine.process.servers.LocalTemporal;
import io.middleware.engine.workflows.port.OperationRef;
import io.middleware.engine.workflows.temporal.ChangeSearchAttributes;
import org.junit.jupiter.api.Test;

class TemporalOperationRunsIT extends SingleRunContract {
  private static final OperationRef REPORT =
      new OperationRef("report-1", "uid-1", OperationAction.PLUGIN, "report", true);

  private final TemporalOperationRuns runs;

  TemporalOperationRunsIT(LocalTemporal server) {
    super(server);
    this.runs = new TemporalOperationRuns(temporal.calls, temporal.cluster);
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
  }

  @Override
  protected String workflowId() {
    return "op/shop/report-1";
  }

  @Override
  protected boolean start() {
    return runs.start(ChangeSignal.operation(app(9), REPORT));
  }

  @Override
  protected boolean isOpen() {
    return runs.isOpen("shop", "report-1");
  }

  @Override
  protected void cancel() {
    runs.cancel("shop", "report-1");
  }
}
