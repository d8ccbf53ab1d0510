package io.middleware.engine.e2e.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.middleware.engine.api.App;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.Shop;
import io.middleware.engine.e2e.Temporal;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import io.temporal.api.enums.v1.WorkflowTaskFailedCause;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.client.WorkflowExecutionMetadata;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

/** Hundreds of edits and pauses, most of them near the end of a run: none is lost. */
@EndToEnd
class RapidE2E {
  private static final List<String> APPS = List.of("one", "two", "three", "four");
  private static final int EDITS = 75;
  private static final int TOGGLES = 25;

  private static final Set<WorkflowExecutionStatus> WELL =
      EnumSet.of(
          WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_COMPLETED,
          WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_CONTINUED_AS_NEW);

  /** A signal just before the end is not a failure: the server makes the run decide again. */
  private static final String DECIDES_AGAIN =
      WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_UNHANDLED_COMMAND.name();

  private final Shop shop;
  private final Temporal temporal;

  RapidE2E(Shop shop, Temporal temporal) {
    this.shop = shop;
    this.temporal = temporal;
  }

  @Test
  void shouldLoseNoGenerationAndFailNoRun() throws Exception {
    // Given
    APPS.forEach(app -> shop.apply(shop.small(app)));
    APPS.forEach(shop::awaitReady);
    // When
    try (var users = Executors.newFixedThreadPool(APPS.size())) {
      awaitAll(APPS.stream().<Future<?>>map(app -> users.submit(() -> hurry(app))).toList());
    }
    // Then
    for (var app : APPS) {
      var ready = shop.awaitReady(app);
      assertThat(ready.getStatus().observedGeneration())
          .isEqualTo(ready.getMetadata().getGeneration());
    }
    await("no workflow open").until(() -> temporal.open(shop.namespace).isEmpty());
    for (var app : APPS) {
      var runs = temporal.runs(shop.namespace, app);
      System.out.println(
          "%s: generation %d in %d runs"
              .formatted(app, shop.app(app).getMetadata().getGeneration(), runs.size()));
      assertThat(runs).allSatisfy(this::assertThatItRanWell);
    }
  }

  private static void awaitAll(List<Future<?>> all)
      throws ExecutionException, InterruptedException {
    for (var one : all) {
      one.get();
    }
  }

  /** Rests of a random length hit a change anywhere: at its begin, in the middle, at its end. */
  private void hurry(String app) {
    for (int i = 1; i <= EDITS; i++) {
      patch(
          app, "{\"spec\":{\"change\":{\"timeouts\":{\"Resources\":\"%ds\"}}}}".formatted(300 + i));
      rest();
      if (i % (EDITS / TOGGLES) == 0) {
        patch(app, "{\"spec\":{\"paused\":true}}");
        rest();
        patch(app, "{\"spec\":{\"paused\":false}}");
        rest();
      }
    }
  }

  private void patch(String app, String patch) {
    shop.client
        .resources(App.class)
        .inNamespace(shop.namespace)
        .withName(app)
        .patch(PatchContext.of(PatchType.JSON_MERGE), patch);
  }

  private static void rest() {
    var time = Duration.ofMillis(ThreadLocalRandom.current().nextInt(120));
    try {
      Thread.sleep(time);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private void assertThatItRanWell(WorkflowExecutionMetadata run) {
    assertThat(WELL).contains(run.getStatus());
    var id = run.getExecution();
    assertThat(temporal.client.fetchHistory(id.getWorkflowId(), id.getRunId()).getEvents())
        .filteredOn(HistoryEvent::hasWorkflowTaskFailedEventAttributes)
        .extracting(HistoryEvent::getWorkflowTaskFailedEventAttributes)
        .extracting(failed -> failed.getCause() + ": " + failed.getFailure().getMessage())
        .as("failed decisions of run %s", id.getRunId())
        .allMatch(failed -> failed.startsWith(DECIDES_AGAIN));
  }
}
