package io.middleware.engine.cluster.status;

import io.middleware.engine.api.task.ChangeOutcome;
import io.middleware.engine.cluster.status.EngineEvent.Kind;
import io.middleware.engine.workflows.port.ChangeProgress.End;
import io.middleware.engine.workflows.port.ChangeRef;
import java.util.Locale;

/** The events of an Operation, on it and on its App. */
final class OperationEvents {
  private static final String ACTION = "Operation";

  private OperationEvents() {}

  static EngineEvent begun(ChangeRef change) {
    return event(change, "begun", Kind.NORMAL, "OperationBegun", change.subject() + " has begun");
  }

  static EngineEvent ended(ChangeRef change, End end) {
    var outcome = end.outcome();
    var good = outcome == ChangeOutcome.SUCCEEDED || outcome == ChangeOutcome.CANCELLED;
    return event(
        change,
        "ended",
        good ? Kind.NORMAL : Kind.WARNING,
        "Operation" + outcome.label(),
        change.subject()
            + ": "
            + outcome.label().toLowerCase(Locale.ROOT)
            + (end.message().isEmpty() ? "" : ": " + end.message()));
  }

  private static EngineEvent event(
      ChangeRef change, String key, Kind kind, String reason, String note) {
    var uid = change.operation().orElseThrow().uid();
    return new EngineEvent(uid + "/" + key, kind, reason, ACTION, note);
  }
}
