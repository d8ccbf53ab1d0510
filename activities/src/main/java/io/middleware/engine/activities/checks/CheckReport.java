package io.middleware.engine.activities.checks;

import static java.util.stream.Collectors.joining;

import io.middleware.engine.api.App;
import io.middleware.engine.api.Reasons;
import io.middleware.engine.cluster.AppKey;
import io.middleware.engine.cluster.ClusterView;
import io.middleware.engine.cluster.status.CheckResultWriter;
import io.middleware.engine.cluster.status.EngineEvent;
import io.middleware.engine.cluster.status.EventRecorder;
import io.middleware.engine.workflows.port.ChangeRef;
import io.middleware.engine.workflows.port.CheckActivities.CheckRequest;
import java.time.InstantSource;
import java.util.List;

/**
 * Tells people what became of checks: in the App's status, and of those that failed in an event.
 */
final class CheckReport {
  private final CheckResultWriter results;
  private final EventRecorder events;
  private final ClusterView view;
  private final App app;
  private final InstantSource clock;

  /**
   * @param view shows what the App's status says already
   */
  CheckReport(
      CheckResultWriter results,
      EventRecorder events,
      ClusterView view,
      App app,
      InstantSource clock) {
    this.results = results;
    this.events = events;
    this.view = view;
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
    record(
        "%s/%s/check/%s"
            .formatted(request.change().runId(), request.task().id(), request.subject()),
        note);
  }

  /** Writes what was found about checks beside the tasks. */
  void watched(ChangeRef change, String component, List<WatchedCheck> checks) {
    results.write(
        change,
        view.app(AppKey.of(change)),
        component,
        checks.stream().flatMap(check -> check.decision().stream()).toList());
  }

  /** Records that checks beside the tasks stop the change. */
  void failed(ChangeRef change, String note) {
    record(change.runId() + "/background-check", note);
  }

  private void record(String of, String note) {
    var key = "%s/%d".formatted(of, clock.instant().toEpochMilli());
    events.record(
        app, new EngineEvent(key, EngineEvent.Kind.WARNING, Reasons.CHECK_FAILED, "Check", note));
  }
}
