package io.middleware.engine.activities.checks;

import static java.util.stream.Collectors.joining;

import io.middleware.engine.activities.status.CheckResultWriter;
import io.middleware.engine.activities.status.EngineEvent;
import io.middleware.engine.activities.status.EventRecorder;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Reasons;
import io.middleware.engine.workflows.port.CheckActivities.CheckRequest;
import java.time.InstantSource;
import java.util.List;

/**
 * Tells people what became of checks: in the App's status, and of those that failed in an event.
 */
final class CheckReport {
  private final CheckResultWriter results;
  private final EventRecorder events;
  private final App app;
  private final InstantSource clock;

  CheckReport(CheckResultWriter results, EventRecorder events, App app, InstantSource clock) {
    this.results = results;
    this.events = events;
    this.app = app;
    this.clock = clock;
  }

  /** Writes what is decided. */
  void passed(CheckRequest request, List<DecidedCheck> decided) {
    results.write(request.task(), decided.stream().map(it -> it.decision(request)).toList());
  }

  /** The same, and records the event. */
  void failed(CheckRequest request, List<DecidedCheck> decided) {
    passed(request, decided);
    var note =
        decided.stream()
            .filter(it -> !it.passed())
            .map(it -> it.failure(request))
            .collect(joining("; "));
    var task = request.task();
    var key =
        "%s/%s/check/%s/%d"
            .formatted(
                task.change().runId(),
                task.id(),
                request.subject(),
                clock.instant().toEpochMilli());
    events.record(
        app, new EngineEvent(key, EngineEvent.Kind.WARNING, Reasons.CHECK_FAILED, "Check", note));
  }
}
