package io.middleware.engine.cluster.status;

import static io.middleware.engine.cluster.status.Progress.fresh;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.middleware.engine.activities.apiserver.LocalEngine;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.change.PlanStatus;
import io.middleware.engine.api.task.ChangeOutcome;
import io.middleware.engine.api.task.TaskPhase;
import io.middleware.engine.cluster.ClusterView;
import io.middleware.engine.cluster.FakeView;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.workflows.port.ChangeProgress;
import io.middleware.engine.workflows.port.ChangeRef;
import io.temporal.failure.ApplicationFailure;
import java.time.Clock;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Reports of the change by run {@code run-1}. */
@ExtendWith(ApiServer.class)
class StatusActivitiesIT {
  private final LocalNamespace cluster;
  private final LocalEngine engine;
  private final KubernetesStatusActivities activities;
  private final App app;
  private final ChangeRef change;

  StatusActivitiesIT(LocalNamespace cluster) {
    this.cluster = cluster;
    engine = new LocalEngine(cluster);
    activities = activities(cluster.view());
    app = cluster.createApp();
    change = engine.begin(app);
  }

  @Test
  void shouldShowTasksAndRecordTheirEvents() {
    // When
    activities.report(facts(fresh()));
    activities.report(facts(begun()));
    // Then
    var status = cluster.now(app).getStatus();
    assertThat(status.change().currentTask()).isEqualTo("7-versionupgrade-sentinel");
    assertThat(status.tasks())
        .extracting(task -> task.status())
        .containsExactly("InProgress", "Pending");
    assertThat(events()).containsExactlyInAnyOrder("ChangePlanned", "TaskInProgress");
  }

  @Test
  void shouldWriteNothingAndRecordNothingTheSecondTime() {
    // Given
    activities.report(facts(begun()));
    var version = cluster.now(app).getMetadata().getResourceVersion();
    var events = events();
    // When
    activities.report(facts(begun()));
    // Then
    assertThat(cluster.now(app).getMetadata().getResourceVersion()).isEqualTo(version);
    assertThat(events()).isEqualTo(events);
  }

  /** A process that dies between two writes is followed by one that repeats both. */
  @Test
  void shouldRecordAnEventBeforeTheStatusThatMakesItHistory() {
    // Given
    activities.report(facts(fresh()));
    cluster.refuseStatusWrites();
    // When
    for (int attempt = 0; attempt < 2; attempt++) {
      assertThatThrownBy(
              () -> activities.report(facts(begun().move(0, TaskPhase.DONE, Progress.LATER))))
          .isInstanceOf(ApplicationFailure.class);
    }
    // Then
    assertThat(events()).containsExactlyInAnyOrder("ChangePlanned", "TaskInProgress", "TaskDone");
    assertThat(
            engine
                .meters
                .counter("middleware.tasks", "type", "VersionUpgrade", "outcome", "Done")
                .count())
        .isOne();
  }

  @Test
  void shouldAnnotateTheAppAsLongAsAnEditWaits() {
    // When
    activities.report(facts(begun().waits(8)));
    // Then
    assertThat(cluster.now(app).getMetadata().getAnnotations()).containsKey(Labels.PENDING_CHANGE);
    // and when it has begun
    activities.report(facts(begun()));
    assertThat(cluster.now(app).getMetadata().getAnnotations())
        .doesNotContainKey(Labels.PENDING_CHANGE);
  }

  @Test
  void shouldTakeThePlanAwayOnceTheChangeHasBegun() {
    // Given
    var plan = new PlanStatus(1L, "c0ffee", List.of(), List.of(), List.of(), null);
    new PlanStatusWriter(cluster.client()).show(change, plan);
    assertThat(cluster.now(app).getStatus().plan()).isEqualTo(plan);
    assertThat(cluster.now(app).getStatus().change().runId()).isEqualTo("run-1");
    // When
    activities.report(facts(begun()));
    // Then
    assertThat(cluster.now(app).getStatus().plan()).isNull();
    assertThat(cluster.now(app).getStatus().tasks()).hasSize(2);
  }

  @Test
  void shouldLeaveThePartsOfOtherWritersAlone() {
    // Given
    cluster.patchStatus("{\"phase\": \"Running\"}");
    // When
    activities.report(facts(begun()));
    // Then
    assertThat(cluster.now(app).getStatus().phase()).isEqualTo("Running");
    assertThat(cluster.now(app).getStatus().tasks()).hasSize(2);
  }

  @Test
  void shouldNotWriteForARunThatHasLostTheRunLock() {
    // Given
    engine.openRun = "run-2";
    engine.lock.acquire(cluster.change(app, "run-2"));
    var version = cluster.now(app).getMetadata().getResourceVersion();
    // When Then
    assertThatThrownBy(() -> activities.report(facts(begun())))
        .isInstanceOfSatisfying(
            ApplicationFailure.class, e -> assertThat(e.getType()).isEqualTo("Superseded"))
        .hasMessageContaining(
            "App %s/cache: the run lock is held by run run-2, not by run run-1; the status is not"
                + " written",
            cluster.namespace());
    assertThat(cluster.now(app).getMetadata().getResourceVersion()).isEqualTo(version);
  }

  /** As of a run that was reset past its plan after a newer generation had succeeded. */
  @Test
  void shouldNotReportAChangeThatTheAppHasLeftBehind() {
    // Given
    var edited = cluster.editApp(yaml -> yaml.replace("100mb", "200mb"));
    engine.openRun = "run-2";
    var newer = cluster.change(edited, "run-2");
    engine.lock.acquire(newer);
    activities.report(begun().ends(ChangeOutcome.SUCCEEDED, "", "").facts(newer));
    var status = cluster.now(app).getStatus();
    // When
    engine.openRun = "run-3";
    var old = cluster.change(app, "run-3");
    activities.report(begun().facts(old));
    activities.report(begun().ends(ChangeOutcome.FAILED, "Superseded", "old").facts(old));
    // Then
    assertThat(cluster.now(app).getStatus()).isEqualTo(status);
    // and the same of the newest generation
    var reset = cluster.change(edited, "run-3");
    activities.report(begun().facts(reset));
    activities.report(begun().ends(ChangeOutcome.FAILED, "Superseded", "old").facts(reset));
    assertThat(cluster.now(app).getStatus()).isEqualTo(status);
  }

  /** As of a run whose database was restored from before its end. */
  @Test
  void shouldReportOneEndOnly() {
    // Given
    activities.report(facts(begun().ends(ChangeOutcome.FAILED, "Invalid", "a wrong value")));
    var status = cluster.now(app).getStatus();
    // When
    activities.report(facts(begun().ends(ChangeOutcome.SUPERSEDED, "Superseded", "too late")));
    // Then
    assertThat(cluster.now(app).getStatus()).isEqualTo(status);
  }

  @Test
  void shouldTakeOverWhatSomebodyElseHasWritten() {
    // Given
    cluster.patchStatus("{\"change\": {\"runId\": \"foreign\", \"generation\": 999}}");
    // When
    activities.report(facts(begun()));
    // Then
    assertThat(cluster.now(app).getStatus().change().runId()).isEqualTo("run-1");
    assertThat(cluster.now(app).getStatus().change().generation()).isEqualTo(1);
  }

  @Test
  void shouldIgnoreAReportFromBeforeTheEnd() {
    // Given
    activities.report(facts(begun().ends(ChangeOutcome.CANCELLED, "", "by request")));
    // When
    activities.report(facts(begun()));
    // Then
    assertThat(cluster.now(app).getStatus().change().outcome()).isEqualTo("Cancelled");
    assertThat(events()).contains("ChangeCancelled");
  }

  @Test
  void shouldWriteOntoWhatTheViewDoesNotShowYet() {
    // Given
    var behind = new FakeView();
    behind.app = cluster.now(app);
    cluster.patchStatus("{\"phase\": \"Running\"}");
    // When
    activities(behind).report(facts(begun()));
    // Then
    assertThat(cluster.now(app).getStatus().phase()).isEqualTo("Running");
    assertThat(cluster.now(app).getStatus().tasks()).hasSize(2);
  }

  @Test
  void shouldNotTakeAnEarlierStatusInTheViewForTheLiveOne() {
    // Given
    activities.report(facts(begun()));
    var behind = new FakeView();
    behind.app = cluster.now(app);
    activities.report(facts(begun().waits(8)));
    // When
    activities(behind).report(facts(begun()));
    // Then
    assertThat(cluster.now(app).getStatus().pendingChange()).isNull();
  }

  @Test
  void shouldNotReportForARunThatHasTheRunLockOnlyInTheView() {
    // Given
    var behind = new FakeView();
    behind.app = cluster.now(app);
    engine.openRun = "run-2";
    engine.lock.acquire(cluster.change(app, "run-2"));
    // When Then
    assertThatThrownBy(() -> activities(behind).report(facts(begun())))
        .hasMessageContaining("the run lock is held by run run-2");
    assertThat(cluster.now(app).getStatus().change().runId()).isEqualTo("run-2");
  }

  private KubernetesStatusActivities activities(ClusterView view) {
    return new KubernetesStatusActivities(
        cluster.client(),
        engine.status,
        view,
        engine.runs,
        engine.transitions,
        engine.reports,
        Clock.systemUTC());
  }

  private static Progress begun() {
    return fresh().move(0, TaskPhase.IN_PROGRESS, Progress.START);
  }

  private ChangeProgress facts(Progress progress) {
    return progress.facts(change);
  }

  private List<String> events() {
    return cluster.events().stream().map(Event::getReason).sorted().toList();
  }
}
