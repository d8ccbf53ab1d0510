package io.middleware.engine.cluster.status;

import io.middleware.engine.api.App;
import io.middleware.engine.api.AppStatus;
import io.middleware.engine.api.Reasons;
import io.middleware.engine.api.RunningOperation;
import io.middleware.engine.workflows.port.ChangeProgress;
import io.middleware.engine.workflows.port.ChangeProgress.PendingEdit;
import io.middleware.engine.workflows.port.OperationRef;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What an App's status shows of the Operation that is being carried out: which one, as it holds the
 * run lock, and the edit that waits for its end. Everything else stays as the last change left it.
 */
public final class OperationInApp {
  private OperationInApp() {}

  /** The run lock is held by the Operation's run. */
  static AppStatus begun(AppStatus before, OperationRef operation, String runId) {
    var running =
        new RunningOperation(
            operation.name(), operation.uid(), operation.actionName(), runId, null, null);
    return before.withOperation(running);
  }

  /**
   * @param message null removes it
   */
  static AppStatus withProgress(AppStatus before, String message) {
    return before.withOperation(before.operation().withProgress(message));
  }

  /** The run lock is free. */
  public static AppStatus ended(App app) {
    return AppStatusFactory.partOf(app.getStatus()).withOperation(null);
  }

  /** How far the Operation is; its end releases the run lock. */
  static AppStatus of(App app, ChangeProgress progress, Instant now) {
    var before = AppStatusFactory.partOf(app.getStatus());
    var pending = progress.pending();
    var conditions = new Conditions(Optional.of(before), before.change().generation(), now);
    pending.ifPresent(
        edit ->
            conditions.set(
                Reasons.PENDING_CHANGE,
                true,
                Reasons.EDIT_DURING_CHANGE,
                "generation %d waits for the end of %s"
                    .formatted(edit.generation(), progress.change().subject())));
    var others =
        before.conditions().stream().filter(it -> !Reasons.PENDING_CHANGE.equals(it.getType()));
    return AppStatusFactory.part(
            before.observedGeneration(),
            Math.max(
                before.acceptedGeneration(),
                pending.map(PendingEdit::generation).orElse(before.acceptedGeneration())),
            before.change(),
            before.tasks(),
            pending.map(AppStatusFactory::pending).orElse(null),
            Stream.concat(others, conditions.all().stream()).toList())
        .withOperation(
            progress.end().isPresent()
                ? null
                : before.operation().withRequests(progress.notes().requests().size()));
  }
}
