package io.middleware.engine.watcher.change;

import static io.middleware.engine.watcher.Objects.app;
import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.App;
import io.middleware.engine.api.AppStatusBuilder;
import io.middleware.engine.api.change.ChangeStatusBuilder;
import io.middleware.engine.api.task.OperationAction;
import io.middleware.engine.watcher.change.ChangeSignal.SignalCause;
import io.middleware.engine.workflows.port.OperationRef;
import io.middleware.engine.workflows.temporal.ChangeSearchAttributes;
import io.middleware.engine.workflows.temporal.WorkflowPolicy;
import io.temporal.client.WorkflowOptions;
import io.temporal.common.SearchAttributes;
import org.junit.jupiter.api.Test;

class TemporalChangeRunsTest {

  @Test
  void shouldBeFoundLikeTheRestOfTheChangeAndByPlugin() {
    // When
    var attributes = attributes(app(9));

    // Then
    assertThat(attributes.get(ChangeSearchAttributes.NAMESPACE)).isEqualTo("shop");
    assertThat(attributes.get(ChangeSearchAttributes.APP)).isEqualTo("cache");
    assertThat(attributes.get(ChangeSearchAttributes.GENERATION)).isEqualTo(9);
    assertThat(attributes.get(ChangeSearchAttributes.PLUGIN)).isEqualTo("redis-v1.0.0");
  }

  @Test
  void shouldBeFoundByTheOperationThatItCarriesOut() {
    // Given
    var operation = new OperationRef("restart-1", "uid-1", OperationAction.RESTART);
    var ended =
        ChangeStatusBuilder.builder().generation(1L).runId("run-1").outcome("Succeeded").build();
    var deployed =
        app(
            1,
            AppStatusBuilder.builder()
                .observedGeneration(1L)
                .acceptedGeneration(1L)
                .change(ended)
                .build());

    // When
    var options = TemporalChangeRuns.options("", ChangeSignal.operation(deployed, operation));

    // Then
    assertThat(options.getWorkflowId()).isEqualTo("app/shop/cache");
    assertThat(options.getStaticSummary()).isEqualTo("shop/cache Operation restart-1 (Restart)");
    assertThat(options.getTypedSearchAttributes().get(ChangeSearchAttributes.TASK_TYPE))
        .isEqualTo("Restart");
    assertThat(options.getPriority().getPriorityKey()).isEqualTo(2);
  }

  /** Its App is being changed, which it does not wait for. */
  @Test
  void shouldHaveAnIdOfItsOwnWhenItExcludesNothing() {
    // Given
    var report = new OperationRef("report-1", "uid-1", OperationAction.PLUGIN, "report", true);

    // When
    var options = TemporalChangeRuns.options("west", ChangeSignal.operation(app(9), report));

    // Then
    assertThat(options.getWorkflowId()).isEqualTo("west/op/shop/report-1");
    assertThat(options.getStaticSummary()).isEqualTo("shop/cache Operation report-1 (report)");
    assertThat(options.getTypedSearchAttributes().get(ChangeSearchAttributes.APP))
        .isEqualTo("cache");
  }

  @Test
  void shouldHaveNoPluginWhenTheAppCannotBeRead() {
    // Given
    var unreadable = app(9);
    unreadable.setSpec(null);

    // When
    var attributes = attributes(unreadable);

    // Then
    assertThat(attributes.containsKey(ChangeSearchAttributes.PLUGIN)).isFalse();
  }

  @Test
  void shouldGoBeforeNewAppsWhenItIsNoneItself() {
    assertThat(priority(app(1))).isZero(); // as usual
    assertThat(priority(app(2))).isEqualTo(2);
  }

  @Test
  void shouldNotWaitLongForAWorkerThatHasDied() {
    assertThat(options(app(1)).getWorkflowTaskTimeout()).isEqualTo(WorkflowPolicy.TASK_TIMEOUT);
  }

  @Test
  void shouldBeApartFromTheSameAppOfAnotherCluster() {
    // When
    var named = options("west", app(9));
    var unnamed = options(app(9));

    // Then
    assertThat(named.getWorkflowId()).isEqualTo("west/app/shop/cache");
    assertThat(named.getTaskQueue()).isEqualTo("west/engine");
    assertThat(named.getTypedSearchAttributes().get(ChangeSearchAttributes.CLUSTER))
        .isEqualTo("west");
    assertThat(unnamed.getWorkflowId()).isEqualTo("app/shop/cache");
    assertThat(unnamed.getTaskQueue()).isEqualTo("engine");
    assertThat(unnamed.getTypedSearchAttributes().containsKey(ChangeSearchAttributes.CLUSTER))
        .isFalse();
  }

  private static int priority(App app) {
    return options(app).getPriority().getPriorityKey();
  }

  private static SearchAttributes attributes(App app) {
    return options(app).getTypedSearchAttributes();
  }

  private static WorkflowOptions options(App app) {
    return options("", app);
  }

  private static WorkflowOptions options(String cluster, App app) {
    return TemporalChangeRuns.options(
        cluster, new ChangeSignal(RequestedChange.request(app), SignalCause.EDIT));
  }
}
