package io.middleware.engine.watcher.operation;

import static io.middleware.engine.watcher.operation.SampleOperations.action;
import static io.middleware.engine.watcher.operation.SampleOperations.app;
import static io.middleware.engine.watcher.operation.SampleOperations.begin;
import static io.middleware.engine.watcher.operation.SampleOperations.beginBeside;
import static io.middleware.engine.watcher.operation.SampleOperations.operation;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.middleware.engine.api.operation.Operation;
import io.middleware.engine.api.operation.OperationStatus;
import io.middleware.engine.watcher.Objects;
import io.middleware.engine.watcher.change.FakeChangeRuns;
import io.middleware.engine.watcher.request.FakeRequestRuns;
import io.middleware.engine.watcher.request.RequestSubmission;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An action that excludes nothing, while generation 8 is carried out and a restart runs. */
class SharedTurnsTest {
  private static final Instant NOW = Instant.parse("2026-11-25T10:00:00Z");

  private final FakeChangeRuns changes = new FakeChangeRuns();
  private final FakeRequestRuns<Operation> runs = new FakeRequestRuns<>();
  private final FakeOperations objects = new FakeOperations(action("report-1", "09:59:00"));
  private final List<Operation> others = new ArrayList<>();
  private Optional<Boolean> shared = Optional.of(true);
  private final RequestSubmission<Operation, OperationStatus> submission =
      objects.submission(
          new OperationCarriers(changes, app -> runs, (app, action) -> shared, () -> NOW),
          new SimpleMeterRegistry(),
          () -> NOW);

  @BeforeEach
  void change() {
    objects.app = app(8, 7, null, null);
  }

  @Test
  void shouldStartARunOfItsOwnOnce() {
    // When
    reconcile();
    reconcile();
    // Then
    assertThat(runs.told).containsExactly("start");
    assertThat(changes.signals).isEmpty();
    assertThat(status()).isEqualTo(OperationStatus.pending("is about to begin"));
  }

  @Test
  void shouldStartOnlyAFewAtTheSameTime() {
    // Given
    for (var i = 0; i < 8; i++) {
      others.add(action("earlier-" + i, "09:58:00"));
    }
    others.add(action("later", "09:59:30"));
    // When
    reconcile();
    // Then
    assertThat(runs.told).isEmpty();
    assertThat(status().message())
        .isEqualTo(
            "8 Operations beside changes are before it, of which 8 run at the same time; the oldest is earlier-0");
    // and one has ended
    others.removeFirst();
    reconcile();
    assertThat(runs.told).containsExactly("start");
  }

  @Test
  void shouldTakeItsTurnWhenTheActionIsExclusive() {
    // Given
    shared = Optional.of(false);
    // When
    reconcile();
    // Then
    assertThat(runs.told).isEmpty();
    assertThat(status().message()).isEqualTo("waits for the end of Operation restart-0");
  }

  @Test
  void shouldWaitUntilThePluginsAreKnown() {
    // Given
    shared = Optional.empty();
    // When
    reconcile();
    // Then
    assertThat(runs.told).isEmpty();
    assertThat(status().message()).isEqualTo("the Plugins are being read");
  }

  @Test
  void shouldStartAnotherRunWhenItsRunIsLost() {
    // Given
    beginBeside(objects.operation, "run-1");
    // When
    reconcile();
    // Then
    assertThat(runs.told).containsExactly("start");
  }

  /** Its Plugin has been edited since. */
  @Test
  void shouldLeaveARunWhereItIs() {
    // Given
    shared = Optional.of(false);
    beginBeside(objects.operation, "run-1");
    runs.open = true;
    // When
    reconcile();
    // Then
    assertThat(changes.signals).isEmpty();
    assertThat(status().completedAt()).isNull();
  }

  @Test
  void shouldCancelItsRunAndEndWithoutOne() {
    // Given
    beginBeside(objects.operation, "run-1");
    objects.operation.setSpec(action(true));
    runs.open = true;
    // When
    reconcile();
    // Then
    assertThat(runs.told).containsExactly("cancel");
    assertThat(status().completedAt()).isNull();
    // and when that is gone
    runs.open = false;
    reconcile();
    assertThat(status().phase()).isEqualTo("Cancelled");
    assertThat(runs.told).containsExactly("cancel");
  }

  @Test
  void shouldLeaveTheEndToARunThatIsStillOpen() {
    // Given
    beginBeside(objects.operation, "run-1");
    objects.app = Objects.deleted(objects.app);
    runs.open = true;
    // When
    reconcile();
    // Then
    assertThat(status().completedAt()).isNull();
    // and without it
    runs.open = false;
    reconcile();
    assertThat(status().phase()).isEqualTo("Superseded");
  }

  private OperationStatus status() {
    return objects.operation.getStatus();
  }

  private void reconcile() {
    var restart = operation("restart-0", "09:58:00");
    begin(restart, "run-0");
    others.add(restart);
    others.add(objects.operation);
    submission.reconcile(objects.operation, () -> others);
  }
}
