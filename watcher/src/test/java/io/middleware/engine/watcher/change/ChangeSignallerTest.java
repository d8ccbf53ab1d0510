package io.middleware.engine.watcher.change;

import static io.middleware.engine.watcher.Objects.app;
import static io.middleware.engine.watcher.Objects.change;
import static io.middleware.engine.watcher.Objects.deleted;
import static io.middleware.engine.watcher.Objects.status;
import static io.middleware.engine.watcher.change.SignallerScene.AWAY;
import static io.middleware.engine.watcher.change.SignallerScene.RESYNC;
import static io.middleware.engine.watcher.change.SignallerScene.SETTLING;
import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.watcher.FakeClock;
import io.middleware.engine.watcher.change.ChangeSignal.SignalCause;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ChangeSignallerTest {
  private final SignallerScene scene = new SignallerScene();
  private final FakeChangeRuns runs = scene.runs;
  private final FakeClock clock = scene.clock;
  private final ChangeSignaller signaller = scene.signaller;

  @Test
  void shouldSignalAnEditOnce() {
    // When
    var again = signaller.reconcile(app(1));
    clock.pass(Duration.ofSeconds(59));
    signaller.reconcile(app(1));

    // Then
    assertThat(runs.signals)
        .singleElement()
        .satisfies(
            signal -> {
              assertThat(signal.request().generation()).isEqualTo(1);
              assertThat(signal.request().plugin()).contains("redis-v1.0.0");
              assertThat(signal.cause()).isEqualTo(SignalCause.EDIT);
            });
    assertThat(again).hasValue(RESYNC);
  }

  @Test
  void shouldSignalEachGenerationAtOnce() {
    // When
    signaller.reconcile(app(1));
    signaller.reconcile(app(2));

    // Then
    assertThat(runs.signals).hasSize(2);
  }

  @Test
  void shouldNotRepeatASignalWhileARunIsOpen() {
    // Given
    signaller.reconcile(app(1));

    // When
    for (int minute = 0; minute < 10; minute++) {
      clock.pass(RESYNC);
      signaller.reconcile(app(1));
    }

    // Then
    assertThat(runs.signals).hasSize(1);
    assertThat(runs.checks).isEqualTo(10);
  }

  /** As when somebody has started another workflow under the App's id. */
  @Test
  void shouldReportARunThatMakesNoProgress() {
    // Given
    signaller.reconcile(app(1));
    clock.pass(RESYNC);
    signaller.reconcile(app(1));
    assertThat(scene.stuck).isEmpty();
    runs.trouble = Optional.of("its workflow task has been tried 7 times");

    // When
    clock.pass(RESYNC);
    signaller.reconcile(app(1));

    // Then
    assertThat(scene.stuck).containsExactly("run-1: its workflow task has been tried 7 times");
    assertThat(runs.signals).hasSize(1);
  }

  @Test
  void shouldCarryOnSoonWhatACancelledRunLeftBehind() {
    // Given
    var left = app(8, status(7L, 8L, change(7, "Cancelled")));

    // When
    var again = signaller.reconcile(left);
    clock.pass(SETTLING);
    signaller.reconcile(left);

    // Then
    assertThat(again).hasValue(SETTLING);
    assertThat(runs.signals).extracting(ChangeSignal::cause).containsExactly(SignalCause.LOST_RUN);
  }

  /** The signal may meet the run that ends as cancelled, and that passes nothing on. */
  @Test
  void shouldSoonSignalAgainAnEditThatFollowsACancel() {
    // Given
    var edited = app(8, status(7L, 7L, change(7, "Cancelled")));

    // When
    var again = signaller.reconcile(edited);
    runs.open = false;
    clock.pass(SETTLING);
    signaller.reconcile(edited);

    // Then
    assertThat(again).hasValue(SETTLING);
    assertThat(runs.signals)
        .extracting(ChangeSignal::cause)
        .containsExactly(SignalCause.EDIT, SignalCause.LOST_RUN);
  }

  @Test
  void shouldLeaveAloneWhatTheNextRunHasTakenOn() {
    // Given
    var left = app(8, status(7L, 8L, change(7, "Succeeded")));
    runs.open = true;

    // When
    signaller.reconcile(left);
    clock.pass(SETTLING);
    signaller.reconcile(left);

    // Then
    assertThat(runs.signals).isEmpty();
  }

  @Test
  void shouldSignalADeletionAndSeeThatItIsNotForgotten() {
    // Given
    var app = deleted(app(8, status(7L, 7L, change(7, "Succeeded"))));

    // When
    signaller.reconcile(app);
    runs.open = false;
    clock.pass(RESYNC);
    signaller.reconcile(app);

    // Then
    assertThat(runs.signals).allMatch(signal -> signal.request().deleted());
    assertThat(runs.signals)
        .extracting(ChangeSignal::cause)
        .containsExactly(SignalCause.DELETION, SignalCause.LOST_RUN);
  }

  @Test
  void shouldForgetNothingWhileTemporalIsAway() {
    // Given
    runs.unavailable = true;
    var again = signaller.reconcile(app(1));

    // When
    runs.unavailable = false;
    clock.pass(AWAY);
    signaller.reconcile(app(1));

    // Then
    assertThat(again).hasValue(AWAY);
    assertThat(runs.signals).extracting(ChangeSignal::cause).containsExactly(SignalCause.EDIT);
  }

  @Test
  void shouldSignalAnAppThatCannotBeRead() {
    // Given
    var unreadable = app(1);
    unreadable.setSpec(null);

    // When
    signaller.reconcile(unreadable);

    // Then
    assertThat(runs.signals).singleElement().matches(signal -> signal.request().plugin().isEmpty());
  }

  @Test
  void shouldShowAnEditThatTemporalDoesNotTakeForTenSeconds() {
    // Given
    runs.unavailable = true;
    var began = clock.instant();
    signaller.reconcile(app(1));
    clock.pass(Duration.ofSeconds(9));
    signaller.reconcile(app(1));
    assertThat(scene.report.late).isEmpty();

    // When
    clock.pass(Duration.ofSeconds(1));
    signaller.reconcile(app(1));

    // Then
    assertThat(scene.report.late).containsExactly("1 since " + began + ": unavailable");
    assertThat(scene.report.arrived).isZero();

    // and when Temporal answers again
    runs.unavailable = false;
    signaller.reconcile(app(1));
    assertThat(scene.report.arrived).isOne();
  }

  @Test
  void shouldNotCallAnEditLateThatTemporalHas() {
    // Given
    signaller.reconcile(app(1));
    runs.unavailable = true;

    // When
    for (int minute = 0; minute < 3; minute++) {
      clock.pass(RESYNC);
      signaller.reconcile(app(1));
    }

    // Then
    assertThat(scene.report.late).isEmpty();
  }

  @Test
  void shouldRestWhenNothingIsAskedFor() {
    // When
    var again = signaller.reconcile(app(7, status(7L, 7L, change(7, "Failed"))));

    // Then
    assertThat(again).isEmpty();
    assertThat(runs.signals).isEmpty();
    assertThat(runs.checks).isZero();
  }
}
