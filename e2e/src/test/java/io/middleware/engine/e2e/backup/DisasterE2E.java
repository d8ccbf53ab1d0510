package io.middleware.engine.e2e.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Pod;
import io.middleware.engine.e2e.AuditLog;
import io.middleware.engine.e2e.Disruptive;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.Engine;
import io.middleware.engine.e2e.EtcdData;
import io.middleware.engine.e2e.HeldPod;
import io.middleware.engine.e2e.InTurn;
import io.middleware.engine.e2e.Shop;
import io.middleware.engine.e2e.Temporal;
import io.middleware.engine.e2e.Yaml;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import io.temporal.client.WorkflowExecutionMetadata;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code docs/disaster.md} says, in its order: the data of Temporal or of etcd is lost. */
@EndToEnd
@Disruptive("loses the data of the servers")
@InTurn(1)
class DisasterE2E {
  /** Its upgrade is under way when the data is lost. */
  private static final String BUSY = "busy";

  /** Its primary, whose turn comes after the other pods. */
  private static final String LAST = BUSY + "-sentinel-all-0";

  private static final String REST = "rest";
  private static final int REPLICAS = 3;
  private static final String TEMPORAL_DATA = "lib/temporal-data";
  private static final List<String> CONTROLLERS =
      List.of("kube-controller-manager", "kube-scheduler", "kwok");
  private static final List<String> ENGINE = List.of("worker", "watcher", "simulator");

  private final Shop shop;
  private final Temporal temporal;

  @TempDir Path copy;

  DisasterE2E(Shop shop, Temporal temporal) {
    this.shop = shop;
    this.temporal = temporal;
  }

  @BeforeEach
  void deploy() {
    shop.apply(app(REST, "7.0", "5s"));
    shop.apply(app(BUSY, "7.0", "5s"));
    shop.awaitReady(REST);
    shop.awaitReady(BUSY);
  }

  /** Also when a test has ended too early. */
  @AfterEach
  void startEngine() {
    ENGINE.forEach(DisasterE2E::start);
  }

  @Test
  void shouldGoOnFromWhatExistsWhenTemporalHasLostItsRuns() {
    // Given
    var rest = shop.status(REST).change();
    var held = HeldPod.hold(shop, LAST); // so the upgrade does not end meanwhile
    beginUpgrade(BUSY, "5s", 1);
    Engine.dev(TEMPORAL_DATA, "keep", copy.resolve("temporal").toString());
    // When
    Engine.dev(TEMPORAL_DATA, "lose");
    bootstrap();
    held.release();
    // Then
    shop.awaitReady(BUSY);
    assertThat(shop.events(BUSY, "ChangeTerminated")).hasSize(1);
    assertThat(shop.audit.restarts(shop.namespace)).hasSize(REPLICAS).doesNotHaveDuplicates();
    assertThat(shop.status(REST).change()).isEqualTo(rest);
    await("name of the cluster").ignoreExceptions().until(this::isNameTaken);
    // and the older database, where the change is open, does no harm
    var ended = shop.status(BUSY).change();
    Engine.dev(TEMPORAL_DATA, "restore", copy.resolve("temporal").toString());
    await("end of the old run").ignoreExceptions().until(() -> openRuns().isEmpty());
    assertThat(temporal.client.newUntypedWorkflowStub(workflow(BUSY)).getResult(String.class))
        .contains("generation 2 has already ended");
    assertThat(shop.status(BUSY).change()).isEqualTo(ended);
    assertThat(shop.audit.restarts(shop.namespace)).hasSize(REPLICAS);
    shop.apply(app(REST, "7.2", "0s"));
    shop.awaitReady(REST);
  }

  @Test
  void shouldGoOnFromTheSnapshotThatEtcdWasRestoredFrom() {
    // Given a change under way, and another one that the snapshot knows nothing of
    beginUpgrade(BUSY, "8s", 1);
    EtcdData.copyTo(copy.resolve("etcd"));
    beginUpgrade(REST, "6s", 2);
    var processes = List.of(Engine.pid("worker"), Engine.pid("watcher"));
    // When
    stop("kube-apiserver");
    EtcdData.replaceBy(copy.resolve("etcd"));
    start("kube-apiserver");
    CONTROLLERS.forEach(DisasterE2E::restart);
    restart("simulator");
    // Then
    await("what the engine has seen is forgotten")
        .ignoreExceptions()
        .until(
            () ->
                !processes.contains(Engine.pid("worker"))
                    && !processes.contains(Engine.pid("watcher")));
    // When
    stop("worker", "watcher");
    terminateAllRuns();
    await("the last eviction of the old run is over").until(this::isNoPodLeaving);
    var outdated = podsOf(BUSY, "7.0");
    var audit = AuditLog.fromNow();
    start("worker", "watcher");
    // Then
    shop.awaitReady(BUSY);
    assertThat(podsOf(BUSY, "7.2")).hasSize(REPLICAS);
    assertThat(audit.restarts(shop.namespace)).containsExactlyInAnyOrderElementsOf(outdated);
    assertThat(shop.app(REST).getMetadata().getGeneration()).isEqualTo(1);
    assertThat(podsOf(REST, "7.0")).hasSize(REPLICAS);
    // and what was applied after the snapshot is applied again
    shop.apply(app(REST, "7.2", "0s"));
    shop.awaitReady(REST);
    assertThat(podsOf(REST, "7.2")).hasSize(REPLICAS);
  }

  @Test
  void shouldDeployAnewFromManifestsBesideAnOldTemporal() {
    // Given
    beginUpgrade(BUSY, "5m", 1);
    var old = temporal.runs(shop.namespace, BUSY).getFirst().getExecution().getRunId();
    // When
    ENGINE.forEach(DisasterE2E::stop);
    CONTROLLERS.forEach(DisasterE2E::stop);
    stop("kube-apiserver");
    EtcdData.lose();
    Engine.dev("up", "--servers-only");
    assertThatThrownBy(() -> start("watcher")).hasMessageContaining("ended while starting");
    assertThat(Path.of(Engine.variable("INSTANCE_DIR"), "log", "watcher.log"))
        .content()
        .contains("belongs to another cluster", "temporal workflow terminate -w cluster");
    temporal.client.newUntypedWorkflowStub("cluster").terminate("the old cluster is gone");
    ENGINE.forEach(DisasterE2E::start);
    shop.grantRights();
    shop.applyPlugin(shop.sample("plugin-redis.yaml"));
    shop.apply(app(BUSY, "7.2", "0s"));
    // Then
    shop.awaitReady(BUSY);
    assertThat(podsOf(BUSY, "7.2")).hasSize(REPLICAS);
    assertThat(shop.status(BUSY).change().runId()).isNotEqualTo(old);
    await("end of the old run").until(() -> openRuns().isEmpty());
  }

  /** Returns when so many pods are replaced, one in each interval. */
  private void beginUpgrade(String app, String interval, int pods) {
    shop.apply(app(app, "7.2", interval));
    await("pods of " + app + " replaced").until(() -> podsOf(app, "7.2").size() >= pods);
  }

  private Yaml app(String name, String version, String interval) {
    return shop.small(name)
        .replace("replicas: 1", "replicas: " + REPLICAS)
        .replace("\"7.0\"", "\"" + version + "\"")
        .plus("  change: {interval: %s}\n".formatted(interval));
  }

  private List<String> podsOf(String app, String version) {
    return shop.pods(app).stream()
        .filter(
            pod ->
                pod.getSpec().getContainers().stream()
                    .anyMatch(container -> container.getImage().endsWith("redis:" + version)))
        .map(Pod::getMetadata)
        .map(metadata -> metadata.getName())
        .toList();
  }

  private boolean isNoPodLeaving() {
    var pods = shop.pods(BUSY);
    return pods.size() == REPLICAS
        && pods.stream().allMatch(pod -> pod.getMetadata().getDeletionTimestamp() == null);
  }

  private static void bootstrap() {
    Engine.run(
        List.of(
            Engine.CHECKOUT + "/temporal-config/bootstrap",
            "--address",
            Engine.variable("TEMPORAL_ADDRESS"),
            "--namespace",
            Engine.variable("TEMPORAL_NAMESPACE")));
  }

  private void terminateAllRuns() {
    Engine.run(
        List.of(
            "temporal",
            "workflow",
            "terminate",
            "--query",
            "WorkflowType = 'AppChangeWorkflow' AND ExecutionStatus = 'Running'",
            "--reason",
            "etcd was restored",
            "--yes"));
    await("runs terminated").until(() -> openRuns().isEmpty());
  }

  private List<String> openRuns() {
    return temporal.open(shop.namespace);
  }

  private boolean isNameTaken() {
    return temporal.list("WorkflowId = 'cluster'").stream()
        .map(WorkflowExecutionMetadata::getStatus)
        .anyMatch(WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING::equals);
  }

  private String workflow(String app) {
    return "app/%s/%s".formatted(shop.namespace, app);
  }

  private static void restart(String process) {
    stop(process);
    start(process);
  }

  private static void stop(String... processes) {
    List.of(processes).forEach(process -> Engine.dev("stop", process));
  }

  private static void start(String... processes) {
    List.of(processes).forEach(process -> Engine.dev("start", process));
  }
}
