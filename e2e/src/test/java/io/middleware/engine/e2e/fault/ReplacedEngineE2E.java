package io.middleware.engine.e2e.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.middleware.engine.api.App;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.Reasons;
import io.middleware.engine.e2e.Cli;
import io.middleware.engine.e2e.Disruptive;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.Engine;
import io.middleware.engine.e2e.ExtraWorker;
import io.middleware.engine.e2e.HeldPod;
import io.middleware.engine.e2e.InTurn;
import io.middleware.engine.e2e.NeedlessReplacements;
import io.middleware.engine.e2e.RandomApp;
import io.middleware.engine.e2e.Shop;
import io.middleware.engine.e2e.Temporal;
import io.middleware.engine.e2e.Yaml;
import io.temporal.api.enums.v1.WorkflowTaskFailedCause;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.api.workflow.v1.WorkflowExecutionInfo;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A new version of the worker takes over while changes are under way, and the old one again. Its
 * code differs, so that neither version can replay what the other has begun.
 */
@EndToEnd
@Disruptive("stops the worker of the instance")
@InTurn(3)
class ReplacedEngineE2E {
  private static final int APPS = 20;
  private static final String DEPLOYMENT = "e2e-engine";
  private static final String FIRST = "app-0";
  private static final WorkflowTaskFailedCause NON_DETERMINISM =
      WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_NON_DETERMINISTIC_ERROR;
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private final Shop shop;
  private final Temporal temporal;

  @TempDir Path folder;

  ReplacedEngineE2E(Shop shop, Temporal temporal) {
    this.shop = shop;
    this.temporal = temporal;
  }

  @BeforeEach
  void stopWorkerWithoutVersion() {
    shop.applyPlugin(RandomApp.plugin(shop));
    Engine.dev("stop", "worker");
  }

  @AfterEach
  void startWorkerWithoutVersion() {
    try {
      makeCurrent("--unversioned");
    } finally {
      Engine.dev("start", "worker");
    }
  }

  @Test
  void shouldEndChangesOnTheVersionThatBeganThem() throws IOException {
    try (var one = worker("1");
        var two = nextVersion("2");
        var replacements = new NeedlessReplacements(shop)) {
      // Given
      one.awaitPolling();
      two.awaitPolling();
      makeCurrent("--build-id", "1");
      apply("7.0");
      awaitReady();
      // When
      replaceWhileChanging("7.2", "2");
      // Then
      awaitReady();
      assertThat(versions()).containsOnly("1");
      // and a new change is the new version's, also when the old one is gone
      one.close();
      apply("7.0");
      awaitReady();
      assertThat(versions()).containsOnly("2");
      // and back, in the middle of a change
      try (var again = worker("1")) {
        again.awaitPolling();
        replaceWhileChanging("7.2", "1");
        awaitReady();
        assertThat(versions()).containsOnly("2");
        apply("7.0");
        awaitReady();
        assertThat(versions()).containsOnly("1");
      }
      assertThat(replacements.found()).isEmpty();
      assertThat(failedWorkflowTasks()).isEmpty();
    }
  }

  /** Otherwise the test above would not show that each run stays with its version. */
  @Test
  void shouldWaitOnAVersionThatCannotReplayTheRun() throws IOException {
    try (var one = worker("1");
        var two = nextVersion("2")) {
      // Given a run of version 1 that waits
      one.awaitPolling();
      two.awaitPolling();
      makeCurrent("--build-id", "1");
      shop.apply(app(FIRST, "7.0").plus("  change: {approval: Manual}\n"));
      var waiting =
          shop.awaitApp(FIRST, app -> Shop.condition(app, Reasons.AWAITING_APPROVAL).isPresent());
      // When
      pin("2");
      one.close();
      shop.annotate(FIRST, Labels.APPROVE, waiting.getStatus().plan().hash());
      // Then
      await("failed workflow task").atMost(PATIENCE).until(() -> !failedWorkflowTasks().isEmpty());
      assertThat(shop.pods(FIRST)).isEmpty();
      // and it goes on where it belongs
      try (var again = worker("1")) {
        again.awaitPolling();
        pin("1");
        shop.awaitReady(FIRST);
        awaitNoRun();
      }
    }
  }

  /** Moves the first App's run to the workers of this version. */
  private void pin(String version) {
    Cli.TEMPORAL.workflow(
        "app/%s/%s".formatted(shop.namespace, FIRST),
        "update-options",
        "--versioning-override-behavior",
        "pinned",
        "--versioning-override-deployment-name",
        DEPLOYMENT,
        "--versioning-override-build-id",
        version);
  }

  /** Of all runs of all Apps: where a worker could not go on with a history, and why. */
  private List<String> failedWorkflowTasks() {
    return temporal.list("WorkflowId STARTS_WITH 'app/%s/'".formatted(shop.namespace)).stream()
        .map(run -> run.getExecution())
        .flatMap(
            run ->
                temporal
                    .client
                    .fetchHistory(run.getWorkflowId(), run.getRunId())
                    .getEvents()
                    .stream())
        .filter(HistoryEvent::hasWorkflowTaskFailedEventAttributes)
        .map(event -> event.getWorkflowTaskFailedEventAttributes())
        .filter(failed -> failed.getCause() == NON_DETERMINISM)
        .map(failed -> failed.getFailure().getMessage())
        .toList();
  }

  /** One of the changes waits for the end of a pod until the other version is current. */
  private void replaceWhileChanging(String runtime, String version) {
    var held = HeldPod.hold(shop, FIRST + "-sentinel-all-1");
    apply(runtime);
    await("changes under way")
        .atMost(PATIENCE)
        .until(() -> names().stream().map(shop::app).allMatch(ReplacedEngineE2E::hasBegun));
    makeCurrent("--build-id", version);
    assertThat(names().stream().map(shop::app).filter(ReplacedEngineE2E::isChanging))
        .as("changes under way when version %s becomes current", version)
        .isNotEmpty();
    held.release();
  }

  private ExtraWorker worker(String version) throws IOException {
    return worker(version, ExtraWorker.jars() + "/*");
  }

  private ExtraWorker nextVersion(String version) throws IOException {
    var classes = NextVersion.compiledTo(folder, ExtraWorker.jars());
    return worker(version, classes + ":" + ExtraWorker.jars() + "/*");
  }

  private ExtraWorker worker(String version, String classPath) throws IOException {
    return new ExtraWorker(
        folder.resolve("output-" + version + "-" + System.nanoTime()),
        classPath,
        List.of("--worker-deployment", DEPLOYMENT, "--worker-build-id", version));
  }

  /** A version is known once its workers have polled all queues. */
  private static void makeCurrent(String... version) {
    var command =
        new ArrayList<>(
            List.of("temporal", "worker", "deployment", "set-current-version", "--yes"));
    command.addAll(List.of("--deployment-name", DEPLOYMENT));
    command.addAll(List.of(version));
    await("version " + List.of(version))
        .atMost(PATIENCE)
        .ignoreExceptions()
        .until(() -> !Engine.run(command).isEmpty());
  }

  private void apply(String version) {
    names().forEach(name -> shop.applyPlugin(app(name, version)));
  }

  private Yaml app(String name, String version) {
    return shop.small(name)
        .replace("version: 1.0.0", "version: 1.0.7")
        .replace("replicas: 1", "replicas: 3")
        .replace("\"7.0\"", "\"" + version + "\"");
  }

  private void awaitReady() {
    names().forEach(name -> shop.awaitReady(name));
    awaitNoRun();
  }

  /** A run that is open when its version's workers end would stay open. */
  private void awaitNoRun() {
    await("no open run").atMost(PATIENCE).until(() -> temporal.open(shop.namespace).isEmpty());
  }

  private static boolean hasBegun(App app) {
    return app.getMetadata().getGeneration().equals(app.getStatus().change().generation());
  }

  private static boolean isChanging(App app) {
    return app.getStatus().change().outcome() == null;
  }

  /** Of the newest run of each App. */
  private List<String> versions() {
    return names().stream()
        .map(name -> "app/%s/%s".formatted(shop.namespace, name))
        .map(id -> temporal.client.newUntypedWorkflowStub(id).describe())
        .map(run -> run.getWorkflowExecutionInfo())
        .map(WorkflowExecutionInfo::getVersioningInfo)
        .map(info -> info.getDeploymentVersion().getBuildId())
        .toList();
  }

  private static List<String> names() {
    return IntStream.range(0, APPS).mapToObj(i -> "app-" + i).toList();
  }
}
