package io.middleware.engine.activities.status;

import io.middleware.engine.activities.status.AppStatusWriter.AppId;
import io.middleware.engine.api.App;
import io.middleware.engine.api.AppStatus;
import io.middleware.engine.api.ChangeStatus;
import io.middleware.engine.workflows.port.ChangeRef;
import java.time.Clock;
import java.util.Optional;

/** A run that somebody terminated cannot tell its end: the next one does, before it begins. */
public final class TerminatedRuns {
  private final AppStatusWriter writer;
  private final RunLookup runs;
  private final TransitionPublisher announcer;
  private final Clock clock;

  public TerminatedRuns(
      AppStatusWriter writer, RunLookup runs, TransitionPublisher announcer, Clock clock) {
    this.writer = writer;
    this.runs = runs;
    this.announcer = announcer;
    this.clock = clock;
  }

  /**
   * Ends in the App's status the run before this one, if that has not done so.
   *
   * @return how it ended, in words; empty when nothing had to be done
   */
  public Optional<String> end(ChangeRef next) {
    return writer
        .write(
            new AppId(next.namespace(), next.app(), next.uid()),
            app ->
                isLeft(app, next)
                    ? Optional.of(AppStatusFactory.terminated(app, next, clock.instant()))
                    : Optional.empty())
        .map(
            written -> {
              announcer.tell(written.before(), written.status());
              return written.status().change().message();
            });
  }

  /** One workflow id has one open run: if that is the next one, the one before is closed. */
  private boolean isLeft(App app, ChangeRef next) {
    return Optional.ofNullable(app.getStatus())
            .map(AppStatus::change)
            .filter(change -> change.outcome() == null)
            .map(ChangeStatus::runId)
            .filter(run -> !run.equals(next.runId()))
            .isPresent()
        && runs.isAtWork(next);
  }
}
