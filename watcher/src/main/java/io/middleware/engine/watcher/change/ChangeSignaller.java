package io.middleware.engine.watcher.change;

import io.middleware.engine.api.App;
import io.middleware.engine.watcher.cache.LruCache;
import io.middleware.engine.watcher.change.ChangeDecision.EarlierDecision;
import io.middleware.engine.watcher.change.ChangeSignal.SignalCause;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes sure that a run carries out what an App requests: it starts or signals the App's workflow,
 * and signals again when the run is lost. An App whose spec cannot be read is signalled as well:
 * its run rejects the spec and reports that in the App's status, so that condition has one writer.
 */
public final class ChangeSignaller {
  private static final Logger LOG = LoggerFactory.getLogger(ChangeSignaller.class);

  private final ChangeRuns runs;
  private final RunCheckIntervals intervals;
  private final InstantSource clock;
  private final LruCache<String, EarlierDecision> decisions = new LruCache<>();

  public ChangeSignaller(ChangeRuns runs, RunCheckIntervals intervals, InstantSource clock) {
    this.runs = runs;
    this.intervals = intervals;
    this.clock = clock;
  }

  /**
   * Signals the App's run if needed; a signal that failed is retried.
   *
   * @return when to reconcile this App again if nothing happens before
   */
  public Optional<Duration> reconcile(App app) {
    var requested = RequestedChange.of(app);
    if (requested.isEmpty()) {
      decisions.remove(app.getMetadata().getUid());
      return Optional.empty();
    }
    try {
      return Optional.of(reconcile(app, requested.get()));
    } catch (TemporalUnavailableException e) {
      return Optional.of(intervals.retryDelay());
    }
  }

  private Duration reconcile(App app, RequestedChange requested) {
    var uid = app.getMetadata().getUid();
    var now = clock.instant();
    var decision = ChangeDecision.of(requested, decisions.get(uid), intervals, now);
    carryOut(decision.action(), requested);
    decisions.put(uid, new EarlierDecision(requested, decision.nextCheck()));
    return Duration.between(now, decision.nextCheck());
  }

  private void carryOut(ChangeDecision.SignalAction action, RequestedChange requested) {
    switch (action) {
      case SIGNAL ->
          signal(
              new ChangeSignal(
                  requested.request(),
                  requested.request().deleted() ? SignalCause.DELETION : SignalCause.EDIT));
      case CHECK_RUN -> {
        var open = runs.openRun(requested.request().namespace(), requested.request().app());
        if (open.filter(requested::mayBeCarriedOutBy).isEmpty()) {
          signal(new ChangeSignal(requested.request(), SignalCause.LOST_RUN));
        }
      }
      case WAIT -> {}
    }
  }

  private void signal(ChangeSignal signal) {
    runs.signal(signal);
    LOG.atInfo()
        .addKeyValue("namespace", signal.request().namespace())
        .addKeyValue("app", signal.request().app())
        .addKeyValue("generation", signal.request().generation())
        .addKeyValue("cause", signal.cause())
        .log("change signalled");
  }
}
