package io.middleware.engine.e2e.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Pod;
import io.middleware.engine.api.operation.ActionRun;
import io.middleware.engine.e2e.AppOperation;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.LocksApp;
import io.middleware.engine.e2e.Shop;
import io.middleware.engine.e2e.Temporal;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import io.temporal.client.WorkflowExecutionMetadata;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An action that is not exclusive runs beside all else, and holds up nothing. */
@EndToEnd
class SharedOperationE2E {
  private static final String APP = LocksApp.NAME;

  private final Shop shop;
  private final Temporal temporal;
  private final LocksApp locks;
  private final AppOperation report;

  SharedOperationE2E(Shop shop, Temporal temporal) {
    this.shop = shop;
    this.temporal = temporal;
    this.locks = new LocksApp(shop);
    this.report = locks.report("report-1");
  }

  @BeforeEach
  void deploy() {
    locks.deploy();
  }

  @Test
  void shouldRunDuringAChangeThatHangs() {
    // Given
    shop.apply(locks.yaml("app-upgraded.yaml"));
    awaitHangingPod();
    var run = shop.status(APP).change().runId();
    // When
    report.apply();
    var second = locks.report("report-2").apply();
    // Then
    var status = report.ends("Succeeded");
    second.ends("Succeeded");
    assertThat(status.workflowId()).isEqualTo(locks.workflow("report-1"));
    assertThat(status.runs())
        .singleElement()
        .satisfies(it -> assertThat(it.status()).isEqualTo(ActionRun.SUCCEEDED));
    await("end of the run")
        .untilAsserted(
            () ->
                assertThat(temporal.list("WorkflowId = '%s'".formatted(locks.workflow("report-1"))))
                    .extracting(WorkflowExecutionMetadata::getStatus)
                    .containsExactly(WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_COMPLETED));
    await("events")
        .untilAsserted(
            () -> {
              assertThat(shop.events("report-1", "OperationSucceeded")).hasSize(1);
              assertThat(shop.events(APP, "OperationSucceeded")).hasSize(2);
            });
    // and the change goes on as if nothing had been
    var change = shop.status(APP);
    assertThat(change.operation()).isNull();
    assertThat(change.change().outcome()).isNull();
    assertThat(change.change().runId()).isEqualTo(run);
    release();
    assertThat(shop.status(APP).change().runId()).isEqualTo(run);
  }

  @Test
  void shouldHoldUpNeitherEditsNorOthersAndBeCancelled() {
    // Given
    locks.faulty("action-hangs");
    report.apply();
    var second = locks.report("report-2").apply();
    LocksApp.awaitRunning(report);
    second.awaits(it -> "InProgress".equals(it.phase()));
    // When
    shop.apply(locks.yaml("app.yaml").replace("maxClientCnxns: 60", "maxClientCnxns: 70"));
    // Then
    assertThat(shop.awaitReady(APP).getStatus().change().generation()).isEqualTo(2);
    new AppOperation(shop, "reapply-1", "Reapply", APP).apply().ends("Succeeded");
    assertThat(report.status().phase()).isEqualTo("InProgress");
    // When
    second.apply(", cancel: true");
    second.ends("Cancelled");
    locks.end("report-1", "cancel");
    // Then
    assertThat(report.ends("Cancelled").runs())
        .extracting(ActionRun::status)
        .containsExactly(ActionRun.CANCELLED);
  }

  @Test
  void shouldEndWithItsApp() {
    // Given
    locks.faulty("action-hangs");
    report.apply();
    LocksApp.awaitRunning(report);
    // When
    shop.kubectl("", "delete", "app", APP, "-n", shop.namespace, "--wait=false");
    // Then
    assertThat(report.ends("Superseded").message()).contains("the App is being deleted");
  }

  private void awaitHangingPod() {
    await("a pod hangs").atMost(Shop.PATIENCE).until(() -> hanging().findAny().isPresent());
  }

  /** Each pod of the new version hangs. */
  private void release() {
    await("App ready")
        .atMost(Shop.PATIENCE)
        .pollInterval(Duration.ofMillis(200))
        .until(
            () -> {
              hanging().forEach(pod -> shop.annotatePods(LocksApp.HANGING + "-", pod));
              return "Succeeded".equals(shop.status(APP).change().outcome());
            });
  }

  private Stream<String> hanging() {
    return shop.pods(APP).stream()
        .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
        .filter(SharedOperationE2E::isWaiting)
        .map(pod -> pod.getMetadata().getName());
  }

  private static boolean isWaiting(Pod pod) {
    return pod.getStatus().getContainerStatuses().stream()
        .anyMatch(container -> container.getState().getWaiting() != null);
  }
}
