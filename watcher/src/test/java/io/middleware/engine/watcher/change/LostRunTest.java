package io.middleware.engine.watcher.change;

import static io.middleware.engine.watcher.Objects.app;
import static io.middleware.engine.watcher.Objects.change;
import static io.middleware.engine.watcher.Objects.status;
import static io.middleware.engine.watcher.change.SignallerScene.RESYNC;
import static io.middleware.engine.watcher.change.SignallerScene.SETTLING;
import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.watcher.FakeClock;
import io.middleware.engine.watcher.change.ChangeSignal.SignalCause;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LostRunTest {
  private final SignallerScene scene = new SignallerScene();
  private final FakeChangeRuns runs = scene.runs;
  private final FakeClock clock = scene.clock;
  private final ChangeSignaller signaller = scene.signaller;

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

  /** As with 500 Apps at once. */
  @Test
  void shouldNotTakeARunForLostWhoseEndItHasNotSeenYet() {
    // Given
    var running = app(1, status(null, 1L, change(1, null)));
    signaller.reconcile(running);
    runs.open = false;
    scene.unseen = Optional.of(app(1, status(1L, 1L, change(1, "Succeeded"))));

    // When
    clock.pass(RESYNC);
    signaller.reconcile(running);

    // Then
    assertThat(runs.signals).isEmpty();
  }

  /** A watcher that is killed every half minute would otherwise never get to its first check. */
  @Test
  void shouldSoonCheckARunThatAnotherWatcherHasSignalled() {
    // Given
    var running = app(1, status(null, 1L, change(1, null)));
    runs.open = false;

    // When
    var again = signaller.reconcile(running);
    clock.pass(SETTLING);
    signaller.reconcile(running);

    // Then
    assertThat(again).hasValue(SETTLING);
    assertThat(runs.signals).extracting(ChangeSignal::cause).containsExactly(SignalCause.LOST_RUN);
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
}
