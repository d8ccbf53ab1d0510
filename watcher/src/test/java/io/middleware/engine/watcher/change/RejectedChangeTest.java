package io.middleware.engine.watcher.change;

import static io.middleware.engine.watcher.Objects.app;
import static io.middleware.engine.watcher.Objects.change;
import static io.middleware.engine.watcher.Objects.deleted;
import static io.middleware.engine.watcher.Objects.status;
import static io.middleware.engine.watcher.change.SignallerScene.SETTLING;
import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.App;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.change.ChangeStatusBuilder;
import io.middleware.engine.watcher.FakeClock;
import io.middleware.engine.watcher.change.ChangeSignal.SignalCause;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A rejected change is planned again. */
class RejectedChangeTest {
  private final SignallerScene scene = new SignallerScene();
  private final FakeChangeRuns runs = scene.runs;
  private final FakeClock clock = scene.clock;
  private final ChangeSignaller signaller = scene.signaller;

  @Test
  void shouldPlanARejectedChangeAgainAfterGrowingPauses() {
    // When the change is rejected each time that it is planned
    var pauses = new ArrayList<Long>();
    for (int time = 1; time <= 9; time++) {
      var rejected = rejected(7, time);
      var again = signaller.reconcile(rejected).orElseThrow();
      pauses.add(again.toMinutes());
      clock.pass(again.minusSeconds(1));
      signaller.reconcile(rejected);
      assertThat(runs.signals).hasSize(time - 1);
      clock.pass(Duration.ofSeconds(1));
      signaller.reconcile(rejected);
      signaller.reconcile(app(7, status(null, 7L, change(7, null))));
      runs.open = false;
    }

    // Then
    assertThat(pauses).containsExactly(1L, 2L, 4L, 8L, 16L, 32L, 60L, 60L, 60L);
    assertThat(runs.signals).extracting(ChangeSignal::cause).containsOnly(SignalCause.REPLAN);
    // and the next edit is not held against the first one
    assertThat(signaller.reconcile(rejected(8, 1))).hasValue(Duration.ofMinutes(1));
  }

  @Test
  void shouldPlanARejectedChangeAgainWhenItsPluginChanges() {
    // Given
    var rejected = rejected(7, 1);
    signaller.reconcile(rejected);

    // When
    var affected = signaller.pluginChanged(rejected);
    signaller.reconcile(rejected);
    signaller.reconcile(rejected);

    // Then
    assertThat(affected).isTrue();
    assertThat(runs.signals).extracting(ChangeSignal::cause).containsExactly(SignalCause.REPLAN);
  }

  @Test
  void shouldNotMissAPluginThatChangesWhileTheOldOneIsPlannedWith() {
    // Given
    var running = app(7, status(null, 7L, change(7, null)));
    signaller.reconcile(running);
    signaller.pluginChanged(running);

    // When
    signaller.reconcile(running);
    signaller.reconcile(rejected(7, 1));

    // Then
    assertThat(runs.signals).extracting(ChangeSignal::cause).containsExactly(SignalCause.REPLAN);
  }

  @Test
  void shouldWaitForTheEndOfTheRunThatHasRejectedTheChange() {
    // Given
    var rejected = rejected(7, 1);
    signaller.pluginChanged(rejected);
    runs.open = true;

    // When
    var again = signaller.reconcile(rejected);
    runs.open = false;
    signaller.reconcile(rejected);

    // Then
    assertThat(again).hasValue(SETTLING);
    assertThat(runs.signals).extracting(ChangeSignal::cause).containsExactly(SignalCause.REPLAN);
  }

  @Test
  void shouldPlanAgainOnceWhenAnAppChangesThatIsUsed() {
    // Given
    var done = app(7, status(7L, 7L, change(7, "Succeeded")));
    assertThat(signaller.reconcile(done)).isEmpty();
    // When
    scene.outdated = true;
    signaller.reconcile(done);
    signaller.reconcile(done);
    // Then
    assertThat(runs.signals).extracting(ChangeSignal::cause).containsExactly(SignalCause.REPLAN);
  }

  @Test
  void shouldPlanAgainOnceWhenASecretChanges() {
    // Given
    var done = app(7, status(7L, 7L, change(7, "Succeeded")));
    // When
    scene.secretsChanged = true;
    signaller.reconcile(done);
    signaller.reconcile(done);
    // Then
    assertThat(runs.signals).extracting(ChangeSignal::cause).containsExactly(SignalCause.REPLAN);
  }

  /** Somebody has ended it so, whatever other Apps do. */
  @ParameterizedTest
  @ValueSource(strings = {"Failed", "Cancelled"})
  void shouldLeaveAChangeAloneThatHasNotSucceededWhenAnAppChangesThatIsUsed(String outcome) {
    // Given
    scene.outdated = true;
    // When
    signaller.reconcile(app(7, status(7L, 7L, change(7, outcome))));
    // Then
    assertThat(runs.signals).isEmpty();
  }

  @Test
  void shouldTryTheDeletionOfAnAppThatOthersUseAfterGrowingPauses() {
    // Given
    scene.held = true;
    signaller.reconcile(deleted(app(8, status(7L, 7L, change(7, "Succeeded")))));
    // When the deletion is rejected each time
    var pauses = new ArrayList<Long>();
    for (int time = 1; time <= 8; time++) {
      signaller.reconcile(deleted(app(8, status(7L, 8L, change(8, null)))));
      runs.open = false;
      pauses.add(signaller.reconcile(deleted(rejected(8, time))).orElseThrow().toMinutes());
      assertThat(runs.signals).hasSize(time);
      clock.pass(Duration.ofMinutes(pauses.getLast()));
      signaller.reconcile(deleted(rejected(8, time)));
    }
    // Then
    assertThat(pauses).containsExactly(1L, 2L, 4L, 8L, 16L, 32L, 60L, 60L);
    assertThat(runs.signals).extracting(ChangeSignal::cause).startsWith(SignalCause.DELETION);
  }

  @Test
  void shouldDeleteAnAppAtOnceThatOthersUseNoMore() {
    // Given
    scene.held = true;
    signaller.reconcile(deleted(rejected(8, 1)));
    assertThat(runs.signals).isEmpty();
    // When
    scene.held = false;
    signaller.reconcile(deleted(rejected(8, 1)));
    signaller.reconcile(deleted(rejected(8, 1)));
    // Then
    assertThat(runs.signals).extracting(ChangeSignal::cause).containsExactly(SignalCause.DELETION);
  }

  @Test
  void shouldDeleteAnAppAtOnceByForceThatOthersUse() {
    // Given
    scene.held = true;
    signaller.reconcile(deleted(rejected(8, 1)));
    // When
    var forced = deleted(rejected(8, 1));
    forced.getMetadata().setAnnotations(Map.of(Labels.FORCE_DELETE, "true"));
    signaller.reconcile(forced);
    // Then
    assertThat(runs.signals).extracting(ChangeSignal::cause).containsExactly(SignalCause.DELETION);
  }

  @Test
  void shouldLeaveAnAppAloneThatDoesNotWaitForItsPlugin() {
    assertThat(signaller.pluginChanged(app(7, status(7L, 7L, change(7, "Succeeded"))))).isFalse();
  }

  private static App rejected(long generation, int time) {
    var change =
        ChangeStatusBuilder.builder()
            .generation(generation)
            .runId("run")
            .completedAt("at " + time)
            .outcome("Rejected")
            .build();
    return app(generation, status(generation, generation, change));
  }
}
