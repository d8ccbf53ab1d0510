package io.middleware.engine.cluster.runlock;

import io.middleware.engine.api.App;
import io.middleware.engine.api.AppStatus;
import io.middleware.engine.api.change.ChangeStatus;
import io.middleware.engine.cluster.runs.RunLookup;
import io.middleware.engine.cluster.status.AppStatusFactory;
import io.middleware.engine.cluster.status.AppStatusWriter;
import io.middleware.engine.cluster.status.AppStatusWriter.AppId;
import io.middleware.engine.cluster.status.TransitionPublisher;
import io.middleware.engine.workflows.port.ChangeRef;
import java.time.Clock;
import java.util.Optional;

/** A terminated run cannot report its end: the next run does so before it begins. */
public final class TerminatedRuns {
  private final AppStatusWriter writer;
  private final RunLookup runs;
  private final TransitionPublisher transitions;
  private final Clock clock;

  public TerminatedRuns(
      AppStatusWriter writer, RunLookup runs, TransitionPublisher transitions, Clock clock) {
    this.writer = writer;
    this.runs = runs;
    this.transitions = transitions;
    this.clock = clock;
  }

  /**
   * Records in the App's status the end of the run before this one, if that run has not.
   *
   * @param seen the App of the next run, as it was read last
   * @param continued id of the run that the next one continues as new: its change goes on
   * @return a message that says how it ended; empty when there was nothing to record
   */
  public Optional<String> end(App seen, ChangeRef next, Optional<String> continued) {
    return hasUnreportedEnd(seen, next, continued) ? recorded(next, continued) : Optional.empty();
  }

  private Optional<String> recorded(ChangeRef next, Optional<String> continued) {
    return writer
        .write(
            new AppId(next.namespace(), next.app(), next.uid()),
            app ->
                transitions.publish(
                    app,
                    hasUnreportedEnd(app, next, continued)
                        ? Optional.of(AppStatusFactory.terminated(app, next, clock.instant()))
                        : Optional.empty()))
        .map(written -> written.status().change().message());
  }

  /** A workflow id has one open run: when that is the next one, the earlier run is closed. */
  private boolean hasUnreportedEnd(App app, ChangeRef next, Optional<String> continued) {
    return Optional.ofNullable(app.getStatus())
            .map(AppStatus::change)
            .filter(change -> change.outcome() == null)
            .map(ChangeStatus::runId)
            .filter(run -> !run.equals(next.runId()) && !continued.equals(Optional.of(run)))
            .isPresent()
        && runs.isRunning(next);
  }
}
