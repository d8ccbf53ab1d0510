package io.middleware.engine.watcher.change;

import static io.middleware.engine.watcher.Objects.app;
import static io.middleware.engine.watcher.Objects.change;
import static io.middleware.engine.watcher.Objects.deleted;
import static io.middleware.engine.watcher.Objects.status;
import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.App;
import io.middleware.engine.watcher.TestClock;
import io.middleware.engine.watcher.change.ChangeSignal.SignalCause;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ChangeSignallerTest {
  private static final Duration RESYNC = Duration.ofMinutes(1);
  private static final Duration SETTLING = Duration.ofSeconds(3);
  private static final Duration AWAY = Duration.ofSeconds(2);

  private final FakeChangeRuns runs = new FakeChangeRuns();
  private final TestClock clock = new TestClock();
  private final FakeSubmissionReport report = new FakeSubmissionReport();
  private final List<String> stuck = new ArrayList<>();
  private final ChangeSignaller signaller =
      new ChangeSignaller(
          runs,
          new RunCheckIntervals(RESYNC, SETTLING, AWAY),
          report,
          (app, run) -> stuck.add(run.id() + ": " + run.trouble().orElseThrow()),
          clock);

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

  /** As when somebody has started another workflow under the App's id. */
  @Test
  void shouldReportARunThatMakesNoProgress() {
    // Given
    signaller.reconcile(app(1));
    clock.pass(RESYNC);
    signaller.reconcile(app(1));
    assertThat(stuck).isEmpty();
    runs.trouble = Optional.of("its workflow task has been tried 7 times");

    // When
    clock.pass(RESYNC);
    signaller.reconcile(app(1));

    // Then
    assertThat(stuck).containsExactly("run-1: its workflow task has been tried 7 times");
    assertThat(runs.signals).hasSize(1);
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
  void shouldShowAnEditThatTemporalDoesNotTakeForTenSeconds() {
    // Given
    runs.unavailable = true;
    var began = clock.instant();
    signaller.reconcile(app(1));
    clock.pass(Duration.ofSeconds(9));
    signaller.reconcile(app(1));
    assertThat(report.late).isEmpty();

    // When
    clock.pass(Duration.ofSeconds(1));
    signaller.reconcile(app(1));

    // Then
    assertThat(report.late).containsExactly("1 since " + began + ": unavailable");
    assertThat(report.arrived).isZero();

    // and when Temporal answers again
    runs.unavailable = false;
    signaller.reconcile(app(1));
    assertThat(report.arrived).isOne();
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
    assertThat(report.late).isEmpty();
  }

  private static final class FakeSubmissionReport implements SubmissionReport {
    private final List<String> late = new ArrayList<>();
    private int arrived;

    @Override
    public void late(App app, Instant since, String cause) {
      late.add("%d since %s: %s".formatted(app.getMetadata().getGeneration(), since, cause));
    }

    @Override
    public void arrived(App app) {
      arrived++;
    }
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
