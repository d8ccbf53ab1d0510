package io.middleware.engine.cluster.runlock;

import io.middleware.engine.api.App;
import io.middleware.engine.api.AppStatus;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.ObservedRunLock;
import io.middleware.engine.cluster.runs.RunLookup;
import io.middleware.engine.cluster.status.AppStatusFactory;
import io.middleware.engine.cluster.status.AppStatusWriter;
import io.middleware.engine.cluster.status.AppStatusWriter.AppId;
import io.middleware.engine.workflows.port.ChangeProgress;
import io.middleware.engine.workflows.port.ChangeProgress.Hold;
import io.middleware.engine.workflows.port.ChangeProgress.Notes;
import io.middleware.engine.workflows.port.ChangeRef;
import io.temporal.failure.ApplicationFailure;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Makes one run the only one that may write for an App. The lock is in the App's status. A lock
 * whose run Temporal does not know, or knows as closed, is none: it is taken by the App's open run,
 * and by no other.
 */
public final class RunLock {
  private final AppStatusWriter writer;
  private final TerminatedRuns terminated;
  private final RunLookup runs;
  private final Clock clock;

  public RunLock(AppStatusWriter writer, TerminatedRuns terminated, RunLookup runs, Clock clock) {
    this.writer = writer;
    this.terminated = terminated;
    this.runs = runs;
    this.clock = clock;
  }

  /**
   * @param app as it was when the lock was acquired
   * @param terminated how the run before this one ended, if it could not report that itself
   */
  public record Acquired(App app, Optional<String> terminated) {}

  /** Acquires the lock for a run that does not continue another one. */
  public Optional<Acquired> acquire(ChangeRef change) {
    return acquire(change, Optional.empty());
  }

  /**
   * Acquires the lock on the App, in its newest generation, for the calling run. The end of a run
   * that was terminated is recorded first.
   *
   * @param continued id of the run that the calling one continues as new: it was not terminated
   * @return empty when the App is gone
   * @throws ApplicationFailure of kind SUPERSEDED when another run is the App's open one
   */
  public Optional<Acquired> acquire(ChangeRef change, Optional<String> continued) {
    var id = new AppId(change.namespace(), change.app(), change.uid());
    try {
      return writer.read(id).flatMap(seen -> acquire(seen, change, continued));
    } catch (ApplicationFailure e) {
      return withoutLock(id, change, e);
    }
  }

  private Optional<Acquired> acquire(App seen, ChangeRef change, Optional<String> continued) {
    var ended = terminated.end(seen, change, continued);
    return writer
        .write(
            AppId.of(seen),
            Optional.of(seen).filter(app -> ended.isEmpty()), // otherwise it has changed
            app -> Optional.of(locked(app, change, continued)))
        .map(written -> new Acquired(written.before(), ended));
  }

  /** A repeated attempt changes neither the lock nor later reports. */
  private AppStatus locked(App app, ChangeRef change, Optional<String> continued) {
    var lock = new ObservedRunLock(app);
    if (lock.isHeldBy(change) && lock.generation() == app.getMetadata().getGeneration()) {
      return AppStatusFactory.partOf(app.getStatus());
    }
    if (lock.isTaken() && !lock.isHeldBy(change) && !runs.isRunning(change)) {
      throw Faults.of(
          FaultKind.SUPERSEDED,
          "App %s/%s: run %s is not its open run; nothing is planned"
              .formatted(change.namespace(), change.app(), change.runId()));
    }
    if (continued.filter(lock::isHeldBy).isPresent()) {
      return AppStatusFactory.locked(app, change.at(app.getMetadata().getGeneration()));
    }
    var now = clock.instant();
    return AppStatusFactory.of(app, taken(app, change, now), now);
  }

  /** Where the lock cannot be written, only a deletion by force goes on, by the App's open run. */
  private Optional<Acquired> withoutLock(AppId id, ChangeRef change, ApplicationFailure cause) {
    var app = writer.read(id).filter(App::isDeletedByForce);
    if (app.isEmpty() || !runs.isRunning(change)) {
      throw cause;
    }
    return app.map(it -> new Acquired(it, Optional.empty()));
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
