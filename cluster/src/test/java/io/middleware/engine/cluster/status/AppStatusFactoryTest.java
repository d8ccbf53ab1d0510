package io.middleware.engine.cluster.status;

import static io.middleware.engine.api.task.TaskPhase.DONE;
import static io.middleware.engine.api.task.TaskPhase.FAILED;
import static io.middleware.engine.api.task.TaskPhase.IN_PROGRESS;
import static io.middleware.engine.api.task.TaskPhase.RETRY_PENDING;
import static io.middleware.engine.cluster.status.Progress.LATER;
import static io.middleware.engine.cluster.status.Progress.START;
import static io.middleware.engine.cluster.status.Progress.app;
import static io.middleware.engine.cluster.status.Progress.fresh;
import static io.middleware.engine.cluster.status.Progress.unplanned;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.middleware.engine.api.App;
import io.middleware.engine.api.AppSpec;
import io.middleware.engine.api.AppSpecBuilder;
import io.middleware.engine.api.AppStatus;
import io.middleware.engine.api.AppStatusBuilder;
import io.middleware.engine.api.Reasons;
import io.middleware.engine.api.RestoreSource;
import io.middleware.engine.api.RunState;
import io.middleware.engine.api.change.ChangeStatusBuilder;
import io.middleware.engine.api.task.ChangeOutcome;
import io.middleware.engine.workflows.port.ChangeRef;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AppStatusFactoryTest {
  private static final KubernetesSerialization YAML = new KubernetesSerialization();

  @Test
  void shouldShowAChangeUnderWay() throws IOException {
    // Given
    var before = fresh().ends(ChangeOutcome.SUCCEEDED, "", "").status(app(null));
    var progress =
        fresh()
            .move(0, IN_PROGRESS, START)
            .move(0, DONE, LATER)
            .move(1, IN_PROGRESS, LATER)
            .waits(8)
            .superseded(3)
            .degraded("no agent of redis-nodes answers: Sequential");
    // When
    var status = progress.status(app(withRun(before, "run-6")));
    // Then
    var expected = Files.readString(Path.of("src/test/resources/status/under-way.yaml"));
    assertThat(status).isEqualTo(YAML.unmarshal(expected, AppStatus.class));
  }

  @Test
  void shouldFollowNoOrderOnceTheChangeHasEnded() {
    // Given
    var running = fresh().move(0, IN_PROGRESS, START).degraded("by name");
    // Then
    assertThat(types(running.status(app(null)))).contains("OrderDegraded");
    assertThat(types(running.ends(ChangeOutcome.SUCCEEDED, "", "").status(app(null))))
        .doesNotContain("OrderDegraded");
  }

  @Test
  void shouldSayOnceAndForAllThatTheAppIsRestored() {
    // Given
    var app = app(null);
    app.getMetadata().setGeneration(7L);
    app.setSpec(restoring(RunState.RUNNING));
    assertThat(types(fresh().ends(ChangeOutcome.FAILED, "", "").status(app)))
        .doesNotContain("Restored");
    // When
    var restored = fresh().ends(ChangeOutcome.SUCCEEDED, "", "").status(app);
    // Then
    assertThat(types(restored)).contains("Restored");
    app.setStatus(restored);
    assertThat(types(fresh().ends(ChangeOutcome.FAILED, "", "").status(app))).contains("Restored");
    assertThat(app.specToDeploy().restoreFrom()).isNull();
    // and not while it is stopped
    app.setStatus(null);
    app.setSpec(restoring(RunState.STOPPED));
    assertThat(types(fresh().ends(ChangeOutcome.SUCCEEDED, "", "").status(app)))
        .doesNotContain("Restored");
    assertThat(app.specToDeploy().restoreFrom()).isNotNull();
  }

  private static AppSpec restoring(RunState state) {
    return AppSpecBuilder.builder()
        .state(state)
        .components(List.of())
        .restoreFrom(new RestoreSource("monday"))
        .build();
  }

  private static Stream<String> types(AppStatus status) {
    return status.conditions().stream().map(Condition::getType);
  }

  @Test
  void shouldHandTheClaimOnAndChangeNothingElse() {
    // Given
    var before = fresh().move(0, IN_PROGRESS, START).status(app(null));
    // When
    var status =
        AppStatusFactory.locked(app(before), new ChangeRef("shop", "cache", "uid", 7, "other"));
    // Then
    assertThat(status.change().runId()).isEqualTo("other");
    assertThat(status.change().workflowId()).isEqualTo("app/shop/cache");
    assertThat(status)
        .usingRecursiveComparison()
        .ignoringFields("change.runId")
        .isEqualTo(AppStatusFactory.partOf(before));
  }

  @ParameterizedTest
  @CsvSource({
    // outcome, Accepted, Reconciling, Stalled, observedGeneration, kstatus while Ready=True
    ", True, True, False, 6, InProgress",
    "SUCCEEDED, True, False, False, 7, Current",
    "FAILED, True, False, True, 7, Failed",
    "CANCELLED, True, False, False, 7, Current",
    "SUPERSEDED, True, False, False, 7, Current",
    "TERMINATED, True, False, False, 7, Current",
    "REJECTED, False, False, True, 7, Failed",
  })
  void shouldReadAsGenericToolsReadIt(
      ChangeOutcome outcome,
      String accepted,
      String reconciling,
      String stalled,
      long observed,
      String kstatus) {
    // Given
    var running = fresh().move(0, IN_PROGRESS, START);
    var progress = outcome == null ? running : running.ends(outcome, "Why", "in plain language");
    // When
    var status = progress.status(app(observing(6)));
    // Then
    assertThat(holds(status, Reasons.ACCEPTED)).isEqualTo(accepted);
    assertThat(holds(status, Reasons.RECONCILING)).isEqualTo(reconciling);
    assertThat(holds(status, Reasons.STALLED)).isEqualTo(stalled);
    assertThat(status.observedGeneration()).isEqualTo(observed);
    assertThat(kstatus(app(status))).isEqualTo(kstatus);
    assertThat(status.conditions())
        .allSatisfy(
            condition -> {
              assertThat(condition.getObservedGeneration()).isEqualTo(7);
              assertThat(condition.getReason()).matches("[A-Za-z]+");
            });
  }

  @Test
  void shouldSayWhatToDoAboutARejection() {
    // When
    var status =
        unplanned()
            .ends(ChangeOutcome.REJECTED, Reasons.INVALID_SPEC, "spec.x is wrong")
            .status(app(null));
    // Then
    assertThat(find(status, Reasons.ACCEPTED))
        .hasValueSatisfying(it -> assertThat(it.getReason()).isEqualTo("InvalidSpec"))
        .hasValueSatisfying(it -> assertThat(it.getMessage()).isEqualTo("spec.x is wrong"));
    assertThat(find(status, Reasons.STALLED).orElseThrow().getMessage())
        .isEqualTo(
            "spec.x is wrong; nothing was changed: correct the App, or supply what it lacks; it is "
                + "planned again when its Plugin changes, and after a while");
    assertThat(status.change().message()).isEqualTo("spec.x is wrong");
  }

  @Test
  void shouldKeepTheVerdictOfTheLastChangeUntilThereIsOne() {
    // Given
    var before = fresh().ends(ChangeOutcome.SUCCEEDED, "", "").status(app(null));
    // When
    var status = unplanned().status(app(before));
    // Then
    assertThat(find(status, Reasons.ACCEPTED)).isEqualTo(find(before, Reasons.ACCEPTED));
    assertThat(find(status, Reasons.RECONCILING).orElseThrow().getMessage())
        .isEqualTo("planning generation 7");
  }

  @Test
  void shouldMoveTheTimeOfTransitionOnlyWithTheStatus() {
    // Given
    var before = fresh().status(app(null));
    var later = Progress.NOW.plus(Duration.ofMinutes(1));
    var ended = fresh().ends(ChangeOutcome.SUCCEEDED, "", "").facts();
    // When
    var status = AppStatusFactory.of(app(before), ended, later);
    // Then
    assertThat(since(status, Reasons.ACCEPTED)).isEqualTo(since(before, Reasons.ACCEPTED));
    assertThat(since(status, Reasons.STALLED)).isEqualTo(since(before, Reasons.STALLED));
    assertThat(since(status, Reasons.RECONCILING)).isEqualTo("2026-11-21T10:01:40Z");
  }

  @Test
  void shouldBeTheSameWhateverOthersHaveWrittenInBetween() {
    // Given
    var written = fresh().move(0, IN_PROGRESS, START).waits(8).status(app(null));
    var conditions = new ArrayList<>(written.conditions());
    conditions.add(2, ready());
    var withHealth =
        AppStatusBuilder.builder()
            .observedGeneration(written.observedGeneration())
            .acceptedGeneration(written.acceptedGeneration())
            .phase("Changing")
            .ready("8/9")
            .change(written.change())
            .tasks(written.tasks())
            .pendingChange(written.pendingChange())
            .components(List.of())
            .conditions(conditions)
            .build();
    // When
    var again = fresh().move(0, IN_PROGRESS, START).waits(8).status(app(withHealth));
    // Then
    assertThat(AppStatusFactory.partOf(YAML.convertValue(withHealth, AppStatus.class)))
        .isEqualTo(again);
  }

  @Test
  void shouldNameWhatKeepsADeletedAppFromGoing() {
    // Given
    var app = app(null);
    app.getMetadata().setDeletionTimestamp("2026-11-21T10:00:00Z");
    var progress =
        fresh()
            .move(0, IN_PROGRESS, START)
            .fault(0, "Forbidden", "pods are not yours")
            .move(0, RETRY_PENDING, LATER);
    // When
    var status = progress.status(app);
    // Then
    assertThat(find(status, Reasons.TEARDOWN_BLOCKED))
        .hasValueSatisfying(
            it ->
                assertThat(it.getMessage())
                    .isEqualTo("task 7-versionupgrade-sentinel: pods are not yours"));
  }

  @Test
  void shouldShowWhyATaskFailed() {
    // When
    var status =
        fresh()
            .move(0, IN_PROGRESS, START)
            .fault(0, Reasons.TASK_TIMED_OUT, "timed out after 10m")
            .move(0, FAILED, LATER)
            .status(app(null));
    // Then
    assertThat(status.tasks().getFirst().error().reason()).isEqualTo("TaskTimedOut");
    assertThat(status.tasks().getFirst().error().message()).isEqualTo("timed out after 10m");
    assertThat(status.tasks().getFirst().completedAt()).isEqualTo("2026-11-21T10:00:21Z");
  }

  /** What kstatus computes: generation first, then Reconciling and Stalled, then Ready. */
  private static String kstatus(App app) {
    var status = app.getStatus();
    if (app.getMetadata().getGeneration() > status.observedGeneration()
        || "True".equals(holds(status, Reasons.RECONCILING))) {
      return "InProgress";
    }
    return "True".equals(holds(status, Reasons.STALLED)) ? "Failed" : "Current";
  }

  private static Condition ready() {
    return new ConditionBuilder()
        .withType("Ready")
        .withStatus("False")
        .withReason("PodsNotReady")
        .withMessage("")
        .withLastTransitionTime("2026-11-21T10:00:00Z")
        .build();
  }

  private static AppStatus observing(long generation) {
    return AppStatusBuilder.builder().observedGeneration(generation).build();
  }

  private static AppStatus withRun(AppStatus status, String runId) {
    var change = status.change();
    return AppStatusBuilder.builder()
        .observedGeneration(6L)
        .acceptedGeneration(6L)
        .change(
            ChangeStatusBuilder.builder()
                .generation(6L)
                .workflowId(change.workflowId())
                .runId(runId)
                .startedAt("2026-11-20T10:00:00Z")
                .build())
        .build();
  }

  private static Optional<Condition> find(AppStatus status, String type) {
    return Conditions.find(Optional.of(status), type);
  }

  private static String holds(AppStatus status, String type) {
    return find(status, type).orElseThrow().getStatus();
  }

  private static String since(AppStatus status, String type) {
    return find(status, type).orElseThrow().getLastTransitionTime();
  }
}
