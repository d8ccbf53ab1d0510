package io.middleware.engine.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Pod;
import io.middleware.engine.api.ActionRun;
import io.middleware.engine.api.OperationStatus;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import io.temporal.client.WorkflowExecutionMetadata;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An action that is not exclusive runs beside all else, and holds up nothing. */
@EndToEnd
@Disruptive("kills the worker")
class SharedOperationE2E {
  private static final String APP = "locks";
  private static final String SELECTOR = "middleware.io/app=" + APP;
  private static final String FAULT = "agent.local.middleware.io/fault";
  private static final String HANGING = "local.middleware.io/fault";

  /** On ZooKeeper 3.9, its pods cannot pull their image. */
  private static final String VERSION = "1.0.9";

  private final Shop shop;
  private final Temporal temporal;
  private final AppOperation report;

  SharedOperationE2E(Shop shop, Temporal temporal) {
    this.shop = shop;
    this.temporal = temporal;
    this.report = report("report-1");
  }

  @BeforeEach
  void deploy() {
    shop.applyPlugin(
        shop.file("plugins/quorum/plugin.yaml")
            .replace("quorum-v1.0.0", "quorum-v" + VERSION)
            .replace("  version: 1.0.0", "  version: " + VERSION)
            .replace(
                "quorum.middleware.io/members:",
                HANGING
                    + ": \"${runtime.version == '3.9' ? optional.of('image-pull') : optional.none()}\"\n"
                    + " ".repeat(16)
                    + "quorum.middleware.io/members:"));
    shop.apply(app("app.yaml"));
    shop.awaitReady(APP);
  }

  @Test
  void shouldRunDuringAChangeThatHangs() {
    // Given
    shop.apply(app("app-upgraded.yaml"));
    awaitHangingPod();
    var run = shop.status(APP).change().runId();
    // When
    report.apply();
    var second = report("report-2").apply();
    // Then
    var status = report.ends("Succeeded");
    second.ends("Succeeded");
    assertThat(status.workflowId()).isEqualTo(workflow("report-1"));
    assertThat(status.runs())
        .singleElement()
        .satisfies(it -> assertThat(it.status()).isEqualTo(ActionRun.SUCCEEDED));
    await("end of the run")
        .untilAsserted(
            () ->
                assertThat(temporal.list("WorkflowId = '%s'".formatted(workflow("report-1"))))
                    .extracting(WorkflowExecutionMetadata::getStatus)
                    .containsExactly(WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_COMPLETED));
    assertThat(shop.events("report-1", "OperationSucceeded")).hasSize(1);
    assertThat(shop.events(APP, "OperationSucceeded")).hasSize(2);
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
    faulty("action-hangs");
    report.apply();
    var second = report("report-2").apply();
    running(report);
    second.awaits(it -> "InProgress".equals(it.phase()));
    // When
    shop.apply(app("app.yaml").replace("maxClientCnxns: 60", "maxClientCnxns: 70"));
    // Then
    assertThat(shop.awaitReady(APP).getStatus().change().generation()).isEqualTo(2);
    new AppOperation(shop, "reapply-1", "Reapply", APP).apply().ends("Succeeded");
    assertThat(report.status().phase()).isEqualTo("InProgress");
    // When
    second.apply(", cancel: true");
    second.ends("Cancelled");
    Engine.run(List.of("temporal", "workflow", "cancel", "-w", workflow("report-1")));
    // Then
    assertThat(report.ends("Cancelled").runs())
        .extracting(ActionRun::status)
        .containsExactly(ActionRun.CANCELLED);
  }

  @Test
  void shouldGoOnWhenTheWorkerDiesOrItsRunIsTerminated() {
    // Given
    faulty("action-slow");
    report.apply();
    running(report);
    // When
    Engine.kill("worker");
    // Then
    report.ends("Succeeded");
    // and another one
    var second = report("report-2").apply();
    running(second);
    Engine.run(List.of("temporal", "workflow", "terminate", "-w", workflow("report-2")));
    second.ends("Succeeded");
    assertThat(temporal.list("WorkflowId = '%s'".formatted(workflow("report-2")))).hasSize(2);
  }

  @Test
  void shouldEndWithItsApp() {
    // Given
    faulty("action-hangs");
    report.apply();
    running(report);
    // When
    shop.kubectl("", "delete", "app", APP, "-n", shop.namespace, "--wait=false");
    // Then
    assertThat(report.ends("Superseded").message()).contains("the App is being deleted");
  }

  private AppOperation report(String name) {
    return new AppOperation(shop, name, "report", APP);
  }

  private Yaml app(String file) {
    return shop.file("plugins/quorum/" + file)
        .replace("{name: quorum, version: 1.0.0}", "{name: quorum, version: " + VERSION + "}");
  }

  private String workflow(String operation) {
    return "op/%s/%s".formatted(shop.namespace, operation);
  }

  private void faulty(String fault) {
    shop.annotatePods(FAULT + "=" + fault, "-l", SELECTOR);
  }

  private static OperationStatus running(AppOperation operation) {
    return operation.awaits(it -> it.runs() != null && !it.runs().isEmpty());
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
              hanging().forEach(pod -> shop.annotatePods(HANGING + "-", pod));
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
