package io.middleware.engine.e2e.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.middleware.engine.api.App;
import io.middleware.engine.e2e.AuditLog;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.Engine;
import io.middleware.engine.e2e.HeldPod;
import io.middleware.engine.e2e.InTurn;
import io.middleware.engine.e2e.PodDiary;
import io.middleware.engine.e2e.Shop;
import io.middleware.engine.e2e.Story;
import io.middleware.engine.e2e.Temporal;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import io.temporal.client.WorkflowExecutionMetadata;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Somebody resets or terminates a run in the middle of a change: only one run writes. */
@EndToEnd
@Order(1)
@InTurn(1)
class FenceE2E {
  private final Shop shop;
  private final Story story;
  private final Temporal temporal;

  FenceE2E(Shop shop, Temporal temporal) {
    this.shop = shop;
    this.temporal = temporal;
    this.story = new Story(shop);
  }

  /** To its begin, or to a point past its plan. */
  @ParameterizedTest
  @CsvSource({"FirstWorkflowTask, 4", "LastWorkflowTask, 5"})
  void shouldFinishTheUpgradeOfAnOpenRunThatIsReset(String point, int restarts) {
    // Given
    story.deployed();
    var audit = AuditLog.fromNow();
    try (var diary = new PodDiary(shop.client, shop.namespace)) {
      var held = heldAt(restarts);
      // When
      temporal("reset", "--type", point);
      held.release();
      // Then
      story.endsWell();
      assertThat(diary.firstTimes()).isEqualTo(Story.oneByOne());
    }
    assertThat(audit.restarts(shop.namespace)).doesNotHaveDuplicates();
    assertThatTheNewestRunHasTheApp();
    assertThatNoChildOverlapsItsSuccessor();
  }

  /** As {@code kubectl patch --subresource=status}: the status is the engine's own. */
  @Test
  void shouldFinishTheUpgradeAndTheDeletionWhateverSomebodyElseWritesAsTheRunLock() {
    // Given
    story.deployed();
    var held = heldAt(2);
    // When
    patchStatus("{\"change\": {\"runId\": \"foreign\"}}");
    held = heldAt(3, held);
    patchStatus("{\"change\": {\"outcome\": \"Succeeded\"}}");
    held = heldAt(5, held);
    patchStatus("{\"change\": {\"runId\": \"foreign\", \"generation\": 999}}");
    held.release();
    // Then
    story.endsWell();
    assertThat(shop.status("cache").change().generation()).isEqualTo(2);
    assertThat(shop.status("cache").change().runId())
        .isEqualTo(newestRun().getExecution().getRunId());
    // and the same of a deletion
    patchStatus("{\"change\": {\"runId\": \"foreign\", \"outcome\": null}}");
    shop.kubectl("", "delete", "app", "cache", "-n", shop.namespace, "--wait=false");
    patchStatus("{\"change\": {\"runId\": \"foreign\", \"outcome\": null}}");
    await().atMost(Shop.PATIENCE).until(() -> shop.app("cache") == null);
  }

  /**
   * As the worker: the chart's policy keeps it from all who may not write what the engine writes.
   */
  private void patchStatus(String status) {
    var config =
        new ConfigBuilder(shop.client.getConfiguration())
            .withImpersonateUsername("system:serviceaccount:middleware-system:middleware-worker")
            .build();
    try (var worker = new KubernetesClientBuilder().withConfig(config).build()) {
      worker
          .resources(App.class)
          .inNamespace(shop.namespace)
          .withName("cache")
          .subresource("status")
          .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"status\": %s}".formatted(status));
    }
  }

  @Test
  void shouldFinishTheUpgradeOfARunThatIsTerminated() {
    // Given
    story.deployed();
    var held = heldAt(2);
    // When
    var terminated = Instant.now();
    temporal("terminate");
    held.release();
    // Then
    await().until(() -> newestRun().getStartTime().isAfter(terminated));
    story.endsWell();
    assertThatTheNewestRunHasTheApp();
    var lost = temporal.runs(shop.namespace, "cache").get(1).getExecution().getRunId();
    var message = "run %s of generation 2 was terminated".formatted(lost);
    assertThat(shop.events("cache", "ChangeTerminated"))
        .singleElement()
        .satisfies(event -> assertThat(event.getMessage()).contains(message));
    assertThat(shop.status("cache").change().requests())
        .singleElement()
        .satisfies(line -> assertThat(line).contains(message));
    // and the next edit works
    shop.apply(story.upgraded().replace("change: {", "change: {interval: 0s, "));
    shop.awaitReady("cache");
  }

  /** The upgrade begins, and waits for the end of its pod of this number. */
  private HeldPod heldAt(int restarts) {
    var held = hold(restarts);
    story.upgrading().afterRestarts(restarts);
    return held;
  }

  /** The upgrade goes on from the pod before, and waits for the end of the one of this number. */
  private HeldPod heldAt(int restarts, HeldPod before) {
    var held = hold(restarts);
    before.release();
    story.afterRestarts(restarts);
    return held;
  }

  private HeldPod hold(int number) {
    return HeldPod.hold(shop, Story.UPGRADE_ORDER.get(number - 1));
  }

  private void temporal(String what, String... options) {
    var words =
        new java.util.ArrayList<>(
            List.of(
                "temporal",
                "workflow",
                what,
                "--workflow-id",
                "app/" + shop.namespace + "/cache",
                "--reason",
                "end-to-end test"));
    words.addAll(List.of(options));
    Engine.run(words);
  }

  private WorkflowExecutionMetadata newestRun() {
    return temporal.runs(shop.namespace, "cache").getFirst();
  }

  private void assertThatTheNewestRunHasTheApp() {
    await().until(() -> temporal.open(shop.namespace).isEmpty());
    assertThat(temporal.runs(shop.namespace, "cache"))
        .extracting(WorkflowExecutionMetadata::getStatus)
        .containsExactly(
            WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_COMPLETED,
            WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_TERMINATED,
            WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_COMPLETED);
    var change = shop.status("cache").change();
    assertThat(change.runId()).isEqualTo(newestRun().getExecution().getRunId());
    assertThat(change.outcome()).isEqualTo("Succeeded");
  }

  /** The orphans of the reset run end before the children of the new run begin. */
  private void assertThatNoChildOverlapsItsSuccessor() {
    var prefix = "app/%s/cache/2/".formatted(shop.namespace);
    var byId =
        temporal.list("WorkflowId STARTS_WITH '%s'".formatted(prefix)).stream()
            .collect(Collectors.groupingBy(run -> run.getExecution().getWorkflowId()));
    assertThat(byId).isNotEmpty();
    byId.forEach(
        (id, runs) -> {
          runs.sort(Comparator.comparing(WorkflowExecutionMetadata::getStartTime));
          for (int i = 1; i < runs.size(); i++) {
            assertThat(runs.get(i - 1).getCloseTime())
                .as(id)
                .isBeforeOrEqualTo(runs.get(i).getStartTime());
          }
        });
  }
}
