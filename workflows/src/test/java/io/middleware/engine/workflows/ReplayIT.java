package io.middleware.engine.workflows;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.DeserializationFeature;
import io.middleware.engine.api.task.RollingPolicy;
import io.middleware.engine.workflows.port.GroupRef;
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Running changes continue when the engine is replaced: our workflows still decide as they did when
 * these histories were recorded. A new scenario is recorded beside them with {@code
 * -DrecordHistories=NAME}; a recorded history is never replaced.
 */
@Timeout(120)
class ReplayIT {
  /** A busy machine is not a workflow that never yields. */
  private static final Duration SLOW_MACHINE = Duration.ofSeconds(30);

  /** With a folder for each release; those since the last one are beside the folders. */
  private static final Path HISTORIES = Path.of("src/test/resources/histories");

  /** The id of a history's workflow, after the App's id; empty for the App's own workflow. */
  private static final Map<String, String> CHILDREN =
      Map.of(
          "component", "/7/7-config-nodes",
          "group", "/7/7-config-nodes/shard-0",
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
          entry("reloaded", List.of("group")),
          entry("deleted", List.of("removed-component", "removed-group")),
          entry("grown", List.of("growing-group")),
          entry("hooked", List.of("component")),
          entry("hooked-failed", List.of("component", "rollback")),
          entry("inline-cancelled", List.of("component", "rollback")),
          entry("inline-deleted", List.of("removed-component")),
          entry("inline-grown", List.of("growing-component")),
          entry("inline-reloaded", List.of("component")),
          entry("inline-silent", List.of("component")),
          entry("inline-succeeded", List.of("component")),
          entry("silent", List.of("component", "group")),
          entry("succeeded", List.of("component", "group")),
          entry("timed-out", List.of("component", "group")));

  /** One history at least of each. */
  private static final List<String> BRANCHES =
      List.of(
          "answered-paused-component.json",
          "answered-succeeded-component.json",
          "ahead-cancelled-component.json",
          "ahead-cancelled-natively.json",
          "ahead-failed-component.json",
          "ahead-stale-component.json",
          "ahead-succeeded-component.json",
          "approved.json",
          "backed-up.json",
          "cancelled.json",
          "cancelled-change.json",
          "cancelled-natively.json",
          "cancelled-resting.json",
          "cancelled-rollback.json",
          "cancelled-twice.json",
          "cancelled-twice-rollback.json",
          "continued.json",
          "degraded-group.json",
          "deleted.json",
          "deleted-midway.json",
          "deleted-removed-group.json",
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
          "paused.json",
          "reloaded-group.json",
          "retried.json",
          "retried-later.json",
          "succeeded.json",
          "succeeded-component.json",
          "succeeded-group.json",
          "silent-component.json",
          "silent-group.json",
          "superseded.json",
          "timed-out.json");

  static Stream<Path> histories() throws IOException {
    try (var files = Files.walk(HISTORIES)) {
      return files.filter(Files::isRegularFile).sorted().toList().stream();
    }
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
    replay(WorkflowExecutionHistory.fromJson(Files.readString(file), ChangeEnvironment.ID), group);
  }

  /** Reads payloads as the worker does: unknown fields of other builds are ignored. */
  static void replay(WorkflowExecutionHistory history, Class<? extends GroupChangeWorkflow> group)
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
          group);
      WorkflowReplayer.replayWorkflowExecution(history, worker);
    }
  }

  @Test
  @EnabledIfSystemProperty(named = "recordHistories", matches = ".*")
  void record() throws IOException {
    Files.createDirectories(HISTORIES);
    var wanted = Pattern.compile(System.getProperty("recordHistories"));
    for (var scenario : RecordedScenarios.ALL.entrySet()) {
      if (!wanted.matcher(scenario.getKey()).matches()) {
        continue;
      }
      try (var env = ChangeEnvironment.withApp(scenario.getKey().equals("timed-out"))) {
        scenario.getValue().accept(env);
        env.result();
        write(scenario.getKey(), env, ChangeEnvironment.ID, env.cluster.runs.getFirst());
        for (var child : RECORDED.getOrDefault(scenario.getKey(), List.of())) {
          var id = ChangeEnvironment.ID + CHILDREN.get(child);
          write(scenario.getKey() + "-" + child, env, id, "");
        }
      }
    }
  }

  private static void write(String name, ChangeEnvironment env, String id, String run)
      throws IOException {
    var history =
        run.isEmpty() ? env.client().fetchHistory(id) : env.client().fetchHistory(id, run);
    Files.writeString(
        HISTORIES.resolve(name + ".json"), history.toJson(true), StandardOpenOption.CREATE_NEW);
  }
}
