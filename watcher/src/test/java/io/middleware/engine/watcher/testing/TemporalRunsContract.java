package io.middleware.engine.watcher.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.middleware.engine.process.servers.LocalTemporal;
import io.middleware.engine.watcher.change.SingleRunContract;
import io.middleware.engine.watcher.request.RequestRuns;
import io.middleware.engine.watcher.request.RequestWorkflow;
import io.middleware.engine.watcher.request.TemporalRequestRuns;
import io.middleware.engine.watcher.request.WorkflowRuns;
import io.middleware.engine.workflows.temporal.ChangeSearchAttributes;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** The same for both kinds of tests. */
abstract class TemporalRunsContract<T extends HasMetadata> extends SingleRunContract {
  private final RequestRuns<T> runs;
  private final T test;

  /**
   * @param workflow of a cluster of this name
   */
  TemporalRunsContract(
      LocalTemporal server, Function<String, RequestWorkflow<T>> workflow, T test) {
    super(server);
    this.runs =
        new TemporalRequestRuns<>(
            new WorkflowRuns(temporal.calls), workflow.apply(temporal.cluster));
    this.test = test;
  }

  @Test
  void shouldBeginTheWorkflowOfTheTest() {
    // When
    start();
    // Then
    var run = temporal.describe(workflowId());
    assertThat(run.getWorkflowType()).isEqualTo(test.getKind() + "Workflow");
    assertThat(run.getTaskQueue()).isEqualTo(temporal.cluster + "/engine-tests");
    assertThat(run.getTypedSearchAttributes().get(ChangeSearchAttributes.TASK_TYPE))
        .isEqualTo(test.getKind());
  }

  @Override
  protected final boolean start() {
    return runs.start(test);
  }

  @Override
  protected final boolean isOpen() {
    return runs.isOpen(test);
  }

  @Override
  protected final void cancel() {
    runs.cancel(test);
  }
}
