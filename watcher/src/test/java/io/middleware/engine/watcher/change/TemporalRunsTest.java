package io.middleware.engine.watcher.change;

import static io.middleware.engine.watcher.Objects.app;
import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.App;
import io.middleware.engine.watcher.change.Signal.Cause;
import io.middleware.engine.workflows.AppChangeWorkflow;
import io.middleware.engine.workflows.Attributes;
import io.temporal.client.WorkflowOptions;
import io.temporal.common.SearchAttributes;
import org.junit.jupiter.api.Test;

class TemporalRunsTest {

  @Test
  void shouldBeFoundLikeTheRestOfTheChangeAndByPlugin() {
    // When
    var attributes = attributes(app(9));

    // Then
    assertThat(attributes.get(Attributes.NAMESPACE)).isEqualTo("shop");
    assertThat(attributes.get(Attributes.APP)).isEqualTo("cache");
    assertThat(attributes.get(Attributes.GENERATION)).isEqualTo(9);
    assertThat(attributes.get(Attributes.PLUGIN)).isEqualTo("redis-v1.0.0");
  }

  @Test
  void shouldHaveNoPluginWhenTheAppCannotBeRead() {
    // Given
    var unreadable = app(9);
    unreadable.setSpec(null);

    // When
    var attributes = attributes(unreadable);

    // Then
    assertThat(attributes.containsKey(Attributes.PLUGIN)).isFalse();
  }

  @Test
  void shouldGoBeforeNewAppsWhenItIsNoneItself() {
    assertThat(priority(app(1))).isZero(); // as usual
    assertThat(priority(app(2))).isEqualTo(2);
  }

  @Test
  void shouldNotWaitLongForAWorkerThatHasDied() {
    assertThat(options(app(1)).getWorkflowTaskTimeout())
        .isEqualTo(AppChangeWorkflow.WORKFLOW_TASK_TIMEOUT);
  }

  private static int priority(App app) {
    return options(app).getPriority().getPriorityKey();
  }

  private static SearchAttributes attributes(App app) {
    return options(app).getTypedSearchAttributes();
  }

  private static WorkflowOptions options(App app) {
    return TemporalRuns.options(new Signal(Wish.request(app), Cause.EDIT));
  }
}
