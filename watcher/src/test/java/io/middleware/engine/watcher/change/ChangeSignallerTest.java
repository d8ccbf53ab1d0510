package io.middleware.engine.watcher.change;

import static io.middleware.engine.watcher.Objects.app;
import static io.middleware.engine.watcher.Objects.change;
import static io.middleware.engine.watcher.Objects.deleted;
import static io.middleware.engine.watcher.Objects.status;
import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.watcher.TestClock;
import io.middleware.engine.watcher.change.ChangeSignal.SignalCause;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ChangeSignallerTest {
  private static final Duration RESYNC = Duration.ofMinutes(1);
  private static final Duration SETTLING = Duration.ofSeconds(3);
  private static final Duration AWAY = Duration.ofSeconds(2);

  private final FakeChangeRuns runs = new FakeChangeRuns();
  private final TestClock clock = new TestClock();
  private final ChangeSignaller signaller =
      new ChangeSignaller(runs, new RunCheckIntervals(RESYNC, SETTLING, AWAY), clock);

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

  @Test
  void shouldSignalAgainWhenTheRunIsLost() {
    // Given
    var running = app(1, status(null, 1L, change(1, null)));
    signaller.reconcile(app(1));
    signaller.reconcile(running);
    runs.open = false;

    // When
    clock.pass(RESYNC);
    signaller.reconcile(running);

    // Then
    assertThat(runs.signals)
        .extracting(ChangeSignal::cause)
        .containsExactly(SignalCause.EDIT, SignalCause.LOST_RUN);
  }

  /** As of an older run that waits for an approval in a restored database. */
  @Test
  void shouldSignalAgainWhenAnotherRunIsOpen() {
    // Given
    var running = app(1, status(null, 1L, change(1, null)));
    signaller.reconcile(app(1));
    signaller.reconcile(running);
    runs.run = "run-0";

    // When
    clock.pass(RESYNC);
    signaller.reconcile(running);

    // Then
    assertThat(runs.signals)
        .extracting(ChangeSignal::cause)
        .containsExactly(SignalCause.EDIT, SignalCause.LOST_RUN);
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
  void shouldRestWhenNothingIsAskedFor() {
    // When
    var again = signaller.reconcile(app(7, status(7L, 7L, change(7, "Failed"))));

    // Then
    assertThat(again).isEmpty();
    assertThat(runs.signals).isEmpty();
    assertThat(runs.checks).isZero();
  }
}
