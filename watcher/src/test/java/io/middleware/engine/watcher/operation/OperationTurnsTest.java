package io.middleware.engine.watcher.operation;

import static io.middleware.engine.watcher.operation.SampleOperations.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.middleware.engine.api.operation.ActionRunBuilder;
import io.middleware.engine.api.operation.Operation;
import io.middleware.engine.api.operation.OperationStatus;
import io.middleware.engine.watcher.Objects;
import io.middleware.engine.watcher.change.ChangeSignal;
import io.middleware.engine.watcher.change.ChangeSignal.SignalCause;
import io.middleware.engine.watcher.change.ControlRequest.CancelChange;
import io.middleware.engine.watcher.change.FakeChangeRuns;
import io.middleware.engine.watcher.request.FakeRequestRuns;
import io.middleware.engine.watcher.request.RequestSubmission;
import io.middleware.engine.workflows.request.ChangeScope;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OperationTurnsTest {
  private static final Instant NOW = Instant.parse("2026-11-25T10:00:00Z");

  private Instant now = NOW;
  private final FakeChangeRuns runs = new FakeChangeRuns();
  private final MeterRegistry meters = new SimpleMeterRegistry();
  private final FakeOperations objects = new FakeOperations();
  private final RequestSubmission<Operation, OperationStatus> submission =
      objects.submission(
          new OperationCarriers(
              runs, app -> new FakeRequestRuns<>(), (app, action) -> Optional.of(false), this::now),
          meters,
          this::now);

  @Test
  void shouldStartARunOnce() {
    // When
    reconcile();
    reconcile();
    // Then
    assertThat(runs.signals)
        .singleElement()
        .satisfies(
            signal -> {
              assertThat(signal.cause()).isEqualTo(SignalCause.OPERATION);
              assertThat(signal.request().operation()).isPresent();
            });
    assertThat(objects.operation.getStatus())
        .isEqualTo(OperationStatus.pending("is about to begin"));
  }

  @Test
  void shouldNotReadTheAppBeforeItsTime() {
    // Given
    objects.operation.setSpec(spec("2026-11-25T11:00:00Z", false));
    // When
    reconcile();
    // Then
    assertThat(objects.reads).isZero();
  }

  @Test
  void shouldSayThatTemporalDoesNotAnswer() {
    // Given
    runs.unavailable = true;
    // When
    reconcile();
    // Then
    assertThat(objects.operation.getStatus().message()).startsWith("Temporal does not answer: ");
  }

  @Test
  void shouldStartAnotherRunWithTheEditThatWaitsWhenItsRunIsLost() {
    // Given
    objects.begin("run-1");
    objects.app = Objects.app(8, objects.app.getStatus());
    // When
    reconcile();
    // Then
    assertThat(runs.signals.getFirst().request().operation().orElseThrow().edit())
        .hasValueSatisfying(edit -> assertThat(edit.generation()).isEqualTo(8));
  }

  /** A restore of Temporal's database has opened it again; it may wait for an approval. */
  @Test
  void shouldWakeARunThatStaysOpenAfterItsChangeHasEnded() {
    // Given
    runs.open = true;
    runs.run = "run-0";
    reconcileFor(Duration.ofSeconds(25));
    assertThat(runs.signals).as("it may be about to end").isEmpty();
    assertThat(objects.operation.getStatus().message())
        .isEqualTo("waits for the end of the App's open run");
    // When
    reconcileFor(Duration.ofSeconds(60));
    // Then
    assertThat(runs.signals)
        .singleElement()
        .satisfies(
            signal -> {
              assertThat(signal.request().generation()).isEqualTo(7);
              assertThat(signal.request().operation()).isEmpty();
              assertThat(signal.request().overtakes(ChangeSignal.replan(objects.app).request()))
                  .isTrue();
            });
    // and once more when it did not help
    reconcileFor(Duration.ofMinutes(5));
    assertThat(runs.signals).hasSize(2);
  }

  @Test
  void shouldNotWakeARunThatHasNotBegunYet() {
    // Given the run of this Operation, for which no worker is free
    runs.open = true;
    runs.run = "run-2";
    // When
    reconcileFor(Duration.ofMinutes(2));
    // Then
    assertThat(runs.signals).isEmpty();
  }

  @Test
  void shouldNotBeginAChangeAgainThatWasCancelled() {
    // Given
    objects.app = SampleOperations.app(7, 7, "Cancelled", null);
    runs.open = true;
    // When
    reconcileFor(Duration.ofMinutes(2));
    // Then
    assertThat(runs.signals).isEmpty();
  }

  private void reconcileFor(Duration time) {
    for (var until = now.plus(time); now.isBefore(until); now = now.plusSeconds(5)) {
      reconcile();
    }
  }

  @Test
  void shouldAskItsRunToStop() {
    // Given
    objects.begin("run-1");
    objects.cancel();
    runs.open = true;
    // When
    reconcile();
    // Then
    assertThat(runs.requests)
        .containsEntry(
            "cancel/uid-restart-1", new CancelChange(ChangeScope.ofOperation("uid-restart-1")));
  }

  /** The run releases the App first, and writes the end then. */
  @Test
  void shouldLeaveTheEndToARunThatIsStillOpen() {
    // Given
    objects.begin("run-1");
    objects.cancel();
    objects.app = FakeOperations.settled();
    runs.open = true;
    // When
    reconcile();
    // Then
    assertThat(objects.operation.hasEnded()).isFalse();
    // and without it
    runs.open = false;
    reconcile();
    assertThat(objects.operation.getStatus().phase()).isEqualTo("Cancelled");
  }

  @Test
  void shouldTellOnceOfAnOperationThatIsRefused() {
    // Given
    objects.operation.setSpec(spec("tomorrow", false));
    // When
    reconcile();
    reconcile();
    // Then
    var note =
        "Operation restart-1 (Restart): rejected: spec.notBefore must be an RFC 3339 time, "
            + "such as 2026-11-27T03:00:00Z";
    assertThat(objects.events)
        .containsExactly(
            "Operation: OperationRejected: " + note, "App: OperationRejected: " + note);
    assertThat(ended("Rejected")).isEqualTo(1);
  }

  @Test
  void shouldTellOfAnOperationWhoseRunIsLost() {
    // Given
    objects.begin("run-1");
    objects.cancel();
    objects.app = FakeOperations.settled();
    // When
    reconcile();
    // Then
    assertThat(objects.events)
        .contains(
            "Operation: OperationCancelled: Operation restart-1 (Restart): cancelled: its "
                + "workflow run no longer existed when it was cancelled");
    assertThat(ended("Cancelled")).isEqualTo(1);
  }

  @Test
  void shouldLeaveNoActionRunningInTheStatus() {
    // Given an action that runs, and a run that is lost
    objects.begin("run-1");
    objects.operation.setStatus(
        objects
            .operation
            .getStatus()
            .with(
                ActionRunBuilder.builder()
                    .pod("cache-0")
                    .uid("uid-0")
                    .component("db")
                    .group("g")
                    .status("Running")
                    .attempts(1)
                    .build()));
    objects.app = Objects.deleted(FakeOperations.settled());
    // When
    reconcile();
    // Then
    assertThat(objects.operation.getStatus().phase()).isEqualTo("Superseded");
    assertThat(objects.operation.getStatus().runs())
        .singleElement()
        .satisfies(
            run -> {
              assertThat(run.status()).isEqualTo("Cancelled");
              assertThat(run.message()).contains("its result is unknown");
            });
  }

  /** After a downgrade: its run goes on, and writes the end. */
  @Test
  void shouldLeaveOneThatHasBegunAndCannotBeReadToANewerEngine() {
    // Given
    objects.begin("run-1");
    objects.operation.setSpec(null);
    // When
    reconcile();
    // Then
    assertThat(objects.operation.hasEnded()).isFalse();
  }

  /** The process may die in between. */
  @Test
  void shouldTellOfAnEndBeforeItIsWritten() {
    // Given
    objects.operation.setSpec(spec("tomorrow", false));
    objects.requests.stale = true;
    // When
    reconcile();
    // Then
    assertThat(objects.events).hasSize(2);
    assertThat(meters.find("middleware.operations").counter()).isNull();
  }

  private double ended(String outcome) {
    return meters
        .get("middleware.operations")
        .tags("action", "Restart", "outcome", outcome)
        .counter()
        .count();
  }

  private Instant now() {
    return now;
  }

  private void reconcile() {
    submission.reconcile(objects.operation, () -> List.of(objects.operation));
  }
}
