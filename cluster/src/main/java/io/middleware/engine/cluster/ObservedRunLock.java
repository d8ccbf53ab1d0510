package io.middleware.engine.cluster;

import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.middleware.engine.api.App;
import io.middleware.engine.api.AppStatus;
import io.middleware.engine.api.RunningOperation;
import io.middleware.engine.api.change.ChangeStatus;
import io.middleware.engine.process.objects.FieldOwners;
import io.middleware.engine.workflows.port.ChangeRef;
import io.middleware.engine.workflows.port.OperationRef;
import io.middleware.engine.workflows.port.Work.Edit;
import java.util.Optional;

/**
 * The run lock as an App's status shows it, compared with the change of a run that asks. Any
 * account that may write statuses can have edited it, so it never decides alone: Temporal says
 * which run is open.
 */
public record ObservedRunLock(App app) {
  /** How the names of the engine's field managers begin. */
  private static final String ENGINE = "middleware-";

  /**
   * The App in the view, if the change's run holds the lock there. Empty while the view does not
   * follow the API server; otherwise it is milliseconds behind.
   */
  public static Optional<App> heldIn(ClusterView view, ChangeRef change) {
    return Optional.of(view)
        .filter(ClusterView::isWatching)
        .flatMap(seen -> seen.app(AppKey.of(change)))
        .filter(app -> change.uid().equals(app.getMetadata().getUid()))
        .filter(app -> new ObservedRunLock(app).isHeldBy(change));
  }

  /** Whether the change's run holds the lock, and has not reported its end. */
  public boolean isHeldBy(ChangeRef change) {
    return switch (change.work()) {
      case Edit edit -> isHeldBy(change.runId());
      case OperationRef ref ->
          operation(ref).filter(it -> change.runId().equals(it.runId())).isPresent();
    };
  }

  /** Whether the Operation that the change carries out has begun and not ended. */
  public boolean isOfOperation(ChangeRef change) {
    return change.work() instanceof OperationRef ref && operation(ref).isPresent();
  }

  /** Whether this run holds the lock for the change of a generation. */
  public boolean isHeldBy(String runId) {
    return operation().isEmpty() && isOf(runId) && outcome().isEmpty();
  }

  /** Whether the change's run held the lock last, and has reported its end. */
  public boolean isEndOf(ChangeRef change) {
    return isOf(change.runId()) && hasEnded();
  }

  /**
   * Whether the App has no such change any more: a newer one has begun, this one has ended, or the
   * App has come back from a backup that is older than the change. Only a new plan may follow then,
   * not a step of the earlier plan. A deletion by force is repeated as it is.
   */
  public boolean isPast(ChangeRef change) {
    return isUnknown(change)
        || switch (change.work()) {
          case Edit(var carriedOut) ->
              generation() > carriedOut
                  || (generation() == carriedOut && hasEnded() && !app.isDeletedByForce());
          case OperationRef ref -> operation(ref).isEmpty();
        };
  }

  /** Whether the App has not reached the change's generation. */
  private boolean isUnknown(ChangeRef change) {
    var newest = app.getMetadata().getGeneration();
    return newest != null && newest < change.generation();
  }

  /** Whether any run has held the lock. */
  public boolean isTaken() {
    return operation().isPresent() || change().map(ChangeStatus::runId).isPresent();
  }

  /** The Operation that is being carried out. */
  public Optional<RunningOperation> operation() {
    return Optional.ofNullable(app.getStatus()).map(AppStatus::operation);
  }

  /** The same, if it is this Operation. */
  public Optional<RunningOperation> operation(OperationRef ref) {
    return operation().filter(it -> ref.uid().equals(it.uid()));
  }

  /**
   * The generation that was carried out last, or is being carried out; 0 when none is shown, or one
   * that the App does not have yet and that the engine cannot have written.
   */
  public long generation() {
    var newest = app.getMetadata().getGeneration();
    return change()
        .map(ChangeStatus::generation)
        .filter(shown -> newest == null || shown <= newest)
        .orElse(0L);
  }

  /** Why the change's run may not write, for people. */
  public String refusal(ChangeRef change) {
    if (isUnknown(change)) {
      return "the App is at generation %d, because it was restored from a backup; run %s of generation %d is newer than that backup"
          .formatted(app.getMetadata().getGeneration(), change.runId(), change.generation());
    }
    if (isPast(change)) {
      return switch (change.work()) {
        case Edit(var carriedOut) ->
            "generation %d has already %s; run %s of generation %d is out of date"
                .formatted(
                    generation(), hasEnded() ? "ended" : "begun", change.runId(), carriedOut);
        case OperationRef ref ->
            "%s has ended; run %s is out of date".formatted(ref.subject(), change.runId());
      };
    }
    return "the run lock is held by run %s, not by run %s"
        .formatted(
            operation()
                .map(RunningOperation::runId)
                .or(() -> change().map(ChangeStatus::runId))
                .orElse("(none)"),
            change.runId());
  }

  private boolean isOf(String runId) {
    return change().map(ChangeStatus::runId).filter(runId::equals).isPresent();
  }

  private boolean hasEnded() {
    return outcome().isPresent() && !isForeign("status", "change", "outcome");
  }

  private Optional<String> outcome() {
    return change().map(ChangeStatus::outcome);
  }

  /** Whether only others have written this field, as far as the API server tells. */
  private boolean isForeign(String... path) {
    var owners = FieldOwners.of(app, path).map(ManagedFieldsEntry::getManager).toList();
    return !owners.isEmpty() && owners.stream().noneMatch(owner -> owner.startsWith(ENGINE));
  }

  private Optional<ChangeStatus> change() {
    return app.getStatus() == null
        ? Optional.empty()
        : Optional.ofNullable(app.getStatus().change());
  }
}
