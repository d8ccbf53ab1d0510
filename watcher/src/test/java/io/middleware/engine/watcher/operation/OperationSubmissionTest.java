package io.middleware.engine.watcher.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.middleware.engine.api.App;
import io.middleware.engine.api.AppStatus;
import io.middleware.engine.api.ChangeStatus;
import io.middleware.engine.api.Operation;
import io.middleware.engine.api.OperationSpec;
import io.middleware.engine.api.OperationStatus;
import io.middleware.engine.api.RunningOperation;
import io.middleware.engine.api.task.OperationAction;
import io.middleware.engine.watcher.Objects;
import io.middleware.engine.watcher.change.ChangeSignal.SignalCause;
import io.middleware.engine.watcher.change.ControlRequest.CancelChange;
import io.middleware.engine.watcher.change.FakeChangeRuns;
import io.middleware.engine.workflows.request.ChangeScope;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OperationSubmissionTest {
  private static final Instant NOW = Instant.parse("2026-11-25T10:00:00Z");

  private final FakeChangeRuns runs = new FakeChangeRuns();
  private final FakeOperations objects = new FakeOperations();
  private final OperationSubmission submission = new OperationSubmission(runs, objects, () -> NOW);

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
        .containsEntry("cancel/uid-1", new CancelChange(ChangeScope.ofOperation("uid-1")));
  }

  /** The run releases the App first, and writes the end then. */
  @Test
  void shouldLeaveTheEndToARunThatIsStillOpen() {
    // Given
    objects.begin("run-1");
    objects.cancel();
    objects.app = Objects.app(7, status(null));
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

  private void reconcile() {
    submission.reconcile(objects.operation, List.of(objects.operation));
  }

  private static AppStatus status(RunningOperation running) {
    var change =
        new ChangeStatus(7L, null, "run-0", null, null, "Succeeded", null, null, null, null);
    return new AppStatus(7L, 7L, null, null, null, change, null, null, running, null, null, null);
  }

  private static final class FakeOperations implements OperationObjects {
    final Operation operation = new Operation();
    App app = Objects.app(7, status(null));

    FakeOperations() {
      operation.setMetadata(
          new ObjectMetaBuilder()
              .withName("restart-1")
              .withNamespace("shop")
              .withUid("uid-1")
              .withCreationTimestamp("2026-11-25T09:59:00Z")
              .build());
      operation.setSpec(spec(false));
    }

    void begin(String run) {
      app =
          Objects.app(7, status(new RunningOperation("restart-1", "uid-1", null, run, null, null)));
      operation.setStatus(
          new OperationStatus(
              "InProgress",
              null,
              null,
              null,
              app.getMetadata().getUid(),
              "app/shop/cache",
              run,
              null,
              null,
              null,
              null));
    }

    void cancel() {
      operation.setSpec(spec(true));
    }

    private static OperationSpec spec(boolean cancel) {
      return new OperationSpec(
          "cache", OperationAction.RESTART, null, null, null, null, 60, cancel);
    }

    @Override
    public Optional<App> app(Operation named) {
      return Optional.of(app);
    }

    @Override
    public void write(Operation seen, OperationStatus status) {
      operation.setStatus(status);
    }

    @Override
    public void delete(Operation ended) {
      throw new IllegalStateException("it has not ended");
    }
  }
}
