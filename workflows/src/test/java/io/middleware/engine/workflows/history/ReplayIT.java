package io.middleware.engine.workflows.history;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.DeserializationFeature;
import io.middleware.engine.api.task.RollingPolicy;
import io.middleware.engine.workflows.AppChangeWorkflowImpl;
import io.middleware.engine.workflows.ChangeEnvironment;
import io.middleware.engine.workflows.OperationWorkflowImpl;
import io.middleware.engine.workflows.backup.BackupRemovalWorkflowImpl;
import io.middleware.engine.workflows.backup.BackupWorkflowImpl;
import io.middleware.engine.workflows.component.ComponentChangeWorkflowImpl;
import io.middleware.engine.workflows.component.GroupChangeWorkflow;
import io.middleware.engine.workflows.component.GroupChangeWorkflowImpl;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.secrets.SecretLookWorkflowImpl;
import io.middleware.engine.workflows.testing.IntegrationTestWorkflowImpl;
import io.middleware.engine.workflows.testing.LoadTestWorkflowImpl;
import io.temporal.client.WorkflowClientOptions;
import io.temporal.common.WorkflowExecutionHistory;
import io.temporal.common.converter.DefaultDataConverter;
import io.temporal.common.converter.JacksonJsonPayloadConverter;
import io.temporal.testing.TestEnvironmentOptions;
import io.temporal.testing.TestWorkflowEnvironment;
import io.temporal.testing.WorkflowReplayer;
import io.temporal.worker.WorkerOptions;
import io.temporal.workflow.Workflow;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Running changes continue when the engine is replaced: our workflows still decide as they did when
 * these histories were recorded. A new scenario is recorded beside them with {@code
 * -DrecordHistories=NAME}; a recorded history is never replaced.
 */
public class ReplayIT {
  /** A busy machine is not a workflow that never yields. */
  private static final Duration SLOW_MACHINE = Duration.ofSeconds(30);

  /** The id of a history's workflow, after the App's id; empty for the App's own workflow. */
  private static final Map<String, String> CHILDREN =
      Map.of(
          "component", "/7/7-config-nodes",
          "group", "/7/7-config-nodes/shard-0",
          "restarted-component", "/7/7-restart-nodes",
          "growing-component", "/7/7-storage-nodes",
          "growing-group", "/7/7-storage-nodes/shard-0",
          "rollback", "/7/7-config-nodes/rollback",
          "rollback-group", "/7/7-config-nodes/rollback/shard-0",
          "removed-component", "/7/7-remove-nodes",
          "removed-group", "/7/7-remove-nodes/shard-0");

  /** The children to record, for scenarios whose children decide differently from others. */
  private static final Map<String, List<String>> RECORDED =
      Map.ofEntries(
          entry("ahead-cancelled", List.of("component", "rollback")),
          entry("ahead-cancelled-natively", List.of("component")),
          entry("ahead-failed", List.of("component")),
          entry("ahead-stale", List.of("component")),
          entry("ahead-succeeded", List.of("component")),
          entry("answered-paused", List.of("component")),
          entry("answered-succeeded", List.of("component")),
          entry("cancelled", List.of("component", "group", "rollback", "rollback-group")),
          entry("cancelled-natively", List.of("component", "group")),
          entry("cancelled-twice", List.of("rollback", "rollback-group")),
          entry("degraded", List.of("component", "group")),
          entry("operated", List.of("restarted-component")),
          entry("reloaded", List.of("group")),
          entry("checked", List.of("component")),
          entry("checked-failed", List.of("component", "rollback")),
          entry("deleted", List.of("removed-component", "removed-group")),
          entry("drained-paused", List.of("component")),
          entry("grown", List.of("growing-group")),
          entry("hooked", List.of("component")),
          entry("hooked-failed", List.of("component", "rollback")),
          entry("inline-cancelled", List.of("component", "rollback")),
          entry("inline-deleted", List.of("removed-component")),
          entry("inline-grown", List.of("growing-component")),
          entry("inline-reloaded", List.of("component")),
          entry("inline-silent", List.of("component")),
          entry("inline-succeeded", List.of("component")),
          entry("members", List.of("component")),
          entry("members-back", List.of("component", "rollback")),
          entry("members-cancelled", List.of("component")),
          entry("silent", List.of("component", "group")),
          entry("succeeded", List.of("component", "group")),
          entry("timed-out", List.of("component", "group")),
          entry("watched", List.of("component")),
          entry("watched-failed", List.of("component", "rollback")));

  /** One history at least of each. */
  private static final List<String> BRANCHES =
      List.of(
          "acted.json",
          "answered-paused-component.json",
          "answered-succeeded-component.json",
          "ahead-cancelled-component.json",
          "ahead-cancelled-natively.json",
          "ahead-failed-component.json",
          "ahead-stale-component.json",
          "ahead-succeeded-component.json",
          "approved.json",
          "backed-up.json",
          "backup.json",
          "backup-failed.json",
          "backup-refused.json",
          "cancelled.json",
          "cancelled-change.json",
          "cancelled-natively.json",
          "cancelled-resting.json",
          "cancelled-rollback.json",
          "cancelled-twice.json",
          "cancelled-twice-rollback.json",
          "checked.json",
          "checked-component.json",
          "checked-failed-component.json",
          "continued.json",
          "degraded-group.json",
          "deleted.json",
          "deleted-midway.json",
          "deleted-removed-group.json",
          "drained-paused-component.json",
          "failed.json",
          "grown-growing-group.json",
          "hooked-component.json",
          "hooked-failed-component.json",
          "hooked-failed-rollback.json",
          "in-run-cancelled.json",
          "in-run-cancelled-natively.json",
          "in-run-failed.json",
          "in-run-hooked.json",
          "in-run-succeeded.json",
          "inline-cancelled-rollback.json",
          "inline-deleted-removed-component.json",
          "inline-grown-growing-component.json",
          "inline-reloaded-component.json",
          "inline-silent-component.json",
          "inline-succeeded-component.json",
          "load.json",
          "load-cancelled.json",
          "load-failed.json",
          "load-finished.json",
          "operated.json",
          "operated-continued.json",
          "operated-restarted-component.json",
          "operation.json",
          "operation-failed.json",
          "members-back-rollback.json",
          "members-cancelled-component.json",
          "members-component.json",
          "paused.json",
          "rebuilt.json",
          "reloaded-group.json",
          "removal.json",
          "retried.json",
          "retried-later.json",
          "secrets.json",
          "succeeded.json",
          "succeeded-component.json",
          "succeeded-group.json",
          "silent-component.json",
          "silent-group.json",
          "superseded.json",
          "switched-over.json",
          "test.json",
          "test-cancelled.json",
          "test-continued.json",
          "test-failed.json",
          "test-load.json",
          "timed-out.json",
          "timed-out-later.json",
          "watched.json",
          "watched-failed.json");

  static Stream<Path> histories() throws IOException {
    return Histories.all();
  }

  @ParameterizedTest
  @MethodSource("histories")
  void shouldDecideAsRecorded(Path history) throws Exception {
    // When, Then
    replay(history, GroupChangeWorkflowImpl.class);
  }

  @Test
  void shouldHaveAHistoryOfEachWorkflowAndBranch() throws IOException {
    // When
    var names = histories().map(file -> file.getFileName().toString()).toList();
    // Then
    assertThat(names).containsAll(BRANCHES);
  }

  @Test
  void shouldNoticeAWorkflowThatDecidesDifferently() throws IOException {
    // Given
    var history = histories().filter(file -> file.endsWith("succeeded-group.json")).findFirst();
    // When, Then
    assertThatThrownBy(() -> replay(history.orElseThrow(), HastyGroupChangeWorkflow.class))
        .hasStackTraceContaining("NonDeterministicException");
  }

  /** Broken on purpose: sleeps where ours applies the group. */
  public static final class HastyGroupChangeWorkflow implements GroupChangeWorkflow {
    @Override
    public void run(GroupRef group, RollingPolicy rolling) {
      Workflow.sleep(Duration.ofSeconds(1));
    }
  }

  private static void replay(Path file, Class<? extends GroupChangeWorkflow> group)
      throws Exception {
    replay(Histories.read(file), group);
  }

  /** Reads payloads as the worker does: unknown fields of other builds are ignored. */
  public static void replay(
      WorkflowExecutionHistory history, Class<? extends GroupChangeWorkflow> group)
      throws Exception {
    var payloads =
        new JacksonJsonPayloadConverter(
            JacksonJsonPayloadConverter.newDefaultObjectMapper()
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES));
    var client =
        WorkflowClientOptions.newBuilder()
            .setDataConverter(
                DefaultDataConverter.newDefaultInstance().withPayloadConverterOverrides(payloads))
            .build();
    try (var env =
        TestWorkflowEnvironment.newInstance(
            TestEnvironmentOptions.newBuilder().setWorkflowClientOptions(client).build())) {
      var worker =
          env.newWorker(
              "replay",
              WorkerOptions.newBuilder()
                  .setDefaultDeadlockDetectionTimeout(SLOW_MACHINE.toMillis())
                  .build());
      worker.registerWorkflowImplementationTypes(
          AppChangeWorkflowImpl.class,
          ComponentChangeWorkflowImpl.class,
          OperationWorkflowImpl.class,
          BackupWorkflowImpl.class,
          BackupRemovalWorkflowImpl.class,
          SecretLookWorkflowImpl.class,
          IntegrationTestWorkflowImpl.class,
          LoadTestWorkflowImpl.class,
          group);
      WorkflowReplayer.replayWorkflowExecution(history, worker);
    }
  }

  @Test
  @EnabledIfSystemProperty(named = "recordHistories", matches = ".*")
  void record() throws IOException {
    for (var scenario : scenarios().entrySet()) {
      var name = scenario.getKey();
      if (!Histories.isWanted(name)) {
        continue;
      }
      try (var env = ChangeEnvironment.withApp(name.startsWith("timed-out"))) {
        scenario.getValue().accept(env);
        env.result();
        write(name, env, ChangeEnvironment.ID, env.cluster.runs.getFirst());
        for (var child : RECORDED.getOrDefault(name, List.of())) {
          write(name + "-" + child, env, ChangeEnvironment.ID + CHILDREN.get(child), "");
        }
      }
    }
  }

  private static Map<String, Consumer<ChangeEnvironment>> scenarios() {
    var all = new HashMap<>(RecordedScenarios.ALL);
    all.putAll(OperationScenarios.ALL);
    return all;
  }

  @Test
  @EnabledIfSystemProperty(named = "recordHistories", matches = ".*")
  void recordWorkflowsOfTheirOwn() throws IOException {
    for (var scenario : OperationScenarios.OWN.entrySet()) {
      var name = scenario.getKey();
      if (!Histories.isWanted(name)) {
        continue;
      }
      try (var env = ChangeEnvironment.withApp(false)) {
        scenario.getValue().accept(env);
        var id = Histories.workflowId(name);
        env.result(id);
        write(name, env, id, "");
      }
    }
  }

  private static void write(String name, ChangeEnvironment env, String id, String run)
      throws IOException {
    Histories.write(
        name, run.isEmpty() ? env.client().fetchHistory(id) : env.client().fetchHistory(id, run));
  }
}
