package io.middleware.engine.activities.status;

import io.middleware.engine.activities.status.AppStatusWriter.AppId;
import io.middleware.engine.api.App;
import io.middleware.engine.workflows.port.ChangeProgress;
import io.middleware.engine.workflows.port.ChangeProgress.Hold;
import io.middleware.engine.workflows.port.ChangeProgress.Notes;
import io.middleware.engine.workflows.port.ChangeRef;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Makes one run the only one that may write for an App. The lock is in the App's status. */
public final class RunLock {
  private final AppStatusWriter writer;
  private final TerminatedRuns terminated;
  private final Clock clock;

  public RunLock(AppStatusWriter writer, TerminatedRuns terminated, Clock clock) {
    this.writer = writer;
    this.terminated = terminated;
    this.clock = clock;
  }

  /**
   * @param app as it was when the lock was acquired
   * @param terminated how the run before this one ended, if it could not report that itself
   */
  public record Acquired(App app, Optional<String> terminated) {}

  /**
   * Acquires the lock on the App, in its newest generation, for the calling run. The end of a run
   * that was terminated is recorded first.
   *
   * @return empty when the App is gone
   */
  public Optional<Acquired> acquire(ChangeRef change) {
    var ended = terminated.end(change);
    return writer
        .write(
            new AppId(change.namespace(), change.app(), change.uid()),
            app -> {
              if (isOurs(app, change)) {
                return Optional.of(AppStatusFactory.partOf(app.getStatus()));
              }
              var now = clock.instant();
              return Optional.of(AppStatusFactory.of(app, taken(app, change, now), now));
            })
        .map(written -> new Acquired(written.before(), ended));
  }

  /** A repeated attempt changes neither the lock nor later reports. */
  private static boolean isOurs(App app, ChangeRef change) {
    var held = app.getStatus() == null ? null : app.getStatus().change();
    return held != null
        && change.runId().equals(held.runId())
        && app.getMetadata().getGeneration().equals(held.generation());
  }

  private static ChangeProgress taken(App app, ChangeRef change, Instant now) {
    return new ChangeProgress(
        change.at(app.getMetadata().getGeneration()),
        now,
        false,
        List.of(),
        Optional.empty(),
        Hold.NONE,
        Notes.NONE,
        Optional.empty());
  }
}
