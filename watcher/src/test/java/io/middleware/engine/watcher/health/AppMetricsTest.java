package io.middleware.engine.watcher.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.middleware.engine.api.App;
import io.middleware.engine.api.AppSpecBuilder;
import io.middleware.engine.api.AppStatusBuilder;
import io.middleware.engine.api.BackupSettings;
import io.middleware.engine.api.LastBackup;
import io.middleware.engine.api.RunState;
import io.middleware.engine.api.change.ChangeStatus;
import io.middleware.engine.api.change.ChangeStatusBuilder;
import io.middleware.engine.api.change.PlanStatus;
import io.middleware.engine.watcher.cache.AppCacheTransform;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;

class AppMetricsTest {
  private static final Instant NOW = Instant.parse("2026-11-24T03:00:00Z");
  private static final PlanStatus WAITING = new PlanStatus(1L, null, null, null, null, null);

  private final MeterRegistry registry = new SimpleMeterRegistry();
  private final AppMetrics metrics = new AppMetrics(registry, InstantSource.fixed(NOW));

  @Test
  void shouldCountNothingBeforeAppsAreKnown() {
    assertThat(count("Running")).isZero();
    assertThat(oldest()).isZero();
  }

  @Test
  void shouldCountAppsByTheirPhase() {
    // When
    show(app("Running", change("02:00", "Succeeded")), app("Changing", change("02:59", null)));
    // Then
    assertThat(count("Running")).isOne();
    assertThat(count("Changing")).isOne();
    assertThat(count("Failed")).isZero();
  }

  @Test
  void shouldKnowTheOldestChangeThatGoesOn() {
    // When
    show(
        app("Running", change("01:00", "Failed")),
        app("Changing", change("02:58", null)),
        app("Changing", change("02:55", null)));
    // Then
    assertThat(oldest()).isEqualTo(300);
  }

  @Test
  void shouldNotCallAChangeOldThatWaitsForPeople() {
    // Given
    var paused = app("Paused", change("01:00", null));
    paused.setSpec(AppSpecBuilder.builder().paused(true).components(List.of()).build());
    var awaitsApproval = app("AwaitingApproval", change("01:00", null), WAITING);
    // When
    show(paused, awaitsApproval);
    // Then
    assertThat(oldest()).isZero();
  }

  @Test
  void shouldKnowTheOldestBackupAndWhichAreOverdue() {
    // When
    show(
        backedUp("02:00", "nightly", RunState.RUNNING, false),
        backedUp("01:00", "nightly", RunState.RUNNING, true),
        backedUp("00:30", null, RunState.RUNNING, false),
        backedUp("00:30", "nightly", RunState.STOPPED, false));
    // Then
    assertThat(registry.get("middleware.oldest.backup.seconds").gauge().value()).isEqualTo(7200);
    assertThat(registry.get("middleware.backups.overdue").gauge().value()).isOne();
  }

  @Test
  void shouldCountAppsWhoseServicesMayLeadToAWrongPod() {
    // Given
    var outdated = new ConditionBuilder().withType("EndpointsOutdated").withStatus("True").build();
    var app = new App();
    app.setStatus(
        AppStatusBuilder.builder().phase("Degraded").conditions(List.of(outdated)).build());
    // When
    show(app, app("Running", change("00:00", "Succeeded")));
    // Then
    assertThat(registry.get("middleware.endpoints.outdated").gauge().value()).isOne();
  }

  private static App backedUp(String startedAt, String store, RunState state, boolean overdue) {
    var app = app("Running", change("00:00", "Succeeded"));
    var backup = new BackupSettings(true, "@daily", 7, store, null, null);
    app.setSpec(AppSpecBuilder.builder().state(state).components(List.of()).backup(backup).build());
    var conditions =
        overdue
            ? List.of(new ConditionBuilder().withType("BackupOverdue").withStatus("True").build())
            : List.<Condition>of();
    var last = new LastBackup("cache-1", "2026-11-24T%s:00Z".formatted(startedAt), null, null);
    app.setStatus(
        AppStatusBuilder.builder()
            .phase("Running")
            .conditions(conditions)
            .build()
            .withBackup(last));
    return app;
  }

  private void show(App... apps) {
    for (var app : apps) {
      AppCacheTransform.reduce(app); // as the watcher keeps it
    }
    metrics.observe(() -> List.of(apps).stream());
  }

  private double count(String phase) {
    return registry.get("middleware.apps").tag("phase", phase).gauge().value();
  }

  private double oldest() {
    return registry.get("middleware.oldest.change.seconds").gauge().value();
  }

  private static App app(String phase, ChangeStatus change) {
    return app(phase, change, null);
  }

  private static App app(String phase, ChangeStatus change, PlanStatus plan) {
    var app = new App();
    app.setStatus(AppStatusBuilder.builder().phase(phase).change(change).plan(plan).build());
    return app;
  }

  private static ChangeStatus change(String startedAt, String outcome) {
    return ChangeStatusBuilder.builder()
        .generation(1L)
        .runId("run-1")
        .startedAt("2026-11-24T%s:00Z".formatted(startedAt))
        .outcome(outcome)
        .build();
  }
}
