package io.middleware.engine.watcher.change;

import io.middleware.engine.api.App;
import io.middleware.engine.watcher.cache.LruCache;
import io.middleware.engine.watcher.change.ChangeDecision.EarlierDecision;
import io.middleware.engine.watcher.change.ChangeSignal.SignalCause;
import io.middleware.engine.watcher.temporal.TemporalUnavailableException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
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
  private final Function<App, Optional<App>> live;
  private final RunCheckIntervals intervals;
  private final StuckRuns stuck;
  private final InstantSource clock;
  private final LruCache<String, EarlierDecision> decisions = new LruCache<>();

  /** Apps whose Plugin has changed since their last plan was requested. */
  private final LruCache<String, Boolean> pluginChanged = new LruCache<>();

  private final LateSubmissions submissions;
  private final AppUses uses;
  private final Predicate<App> secretsChanged;

  /**
   * @param live reads an App from the API server; empty when it is gone
   * @param secretsChanged whether a Secret has changed that the App's last change has not seen
   */
  public ChangeSignaller(
      ChangeRuns runs,
      Function<App, Optional<App>> live,
      AppUses uses,
      Predicate<App> secretsChanged,
      RunCheckIntervals intervals,
      SubmissionReport report,
      StuckRuns stuck,
      InstantSource clock) {
    this.runs = runs;
    this.live = live;
    this.uses = uses;
    this.secretsChanged = secretsChanged;
    this.intervals = intervals;
    this.stuck = stuck;
    this.clock = clock;
    this.submissions = new LateSubmissions(report, clock);
  }

  /**
   * The App's Plugin has come or changed: a change that is, or is about to be, rejected is planned
   * again at once.
   *
   * @return whether the App has a change that is not finished, and is to be reconciled
   */
  public boolean pluginChanged(App app) {
    var unfinished = RequestedChange.of(app).isPresent();
    if (unfinished) {
      pluginChanged.put(app.getMetadata().getUid(), true);
    }
    return unfinished;
  }

  /**
   * Signals the App's run if needed; a signal that failed is retried.
   *
   * @return when to reconcile this App again if nothing happens before
   */
  public Optional<Duration> reconcile(App app) {
    var requested = requested(app);
    if (requested.isEmpty()) {
      decisions.remove(app.getMetadata().getUid());
      pluginChanged.remove(app.getMetadata().getUid());
      submissions.arrived(app);
      return Optional.empty();
    }
    var began = clock.instant();
    try {
      var again = reconcile(app, requested.get());
      submissions.arrived(app);
      return Optional.of(again);
    } catch (TemporalUnavailableException e) {
      if (!isSubmitted(app, requested.get())) {
        submissions.failed(app, began, e.getMessage());
      }
      return Optional.of(intervals.retryDelay());
    }
  }

  /** The signal is durable: once it was sent, only the run is looked for. */
  private boolean isSubmitted(App app, RequestedChange requested) {
    return requested.stage() != RequestedChange.RequestStage.NOT_ACCEPTED
        || decisions
            .get(app.getMetadata().getUid())
            .filter(last -> last.request().equals(requested))
            .isPresent();
  }

  private Duration reconcile(App app, RequestedChange requested) {
    var uid = app.getMetadata().getUid();
    var now = clock.instant();
    var decision = ChangeDecision.of(requested, decisions.get(uid), intervals, now);
    var replans =
        requested.stage() == RequestedChange.RequestStage.REJECTED
            && pluginChanged.get(uid).isPresent();
    if (replans) {
      decision = decision.again(intervals, now);
    }
    var signalled = carryOut(decision.action(), app, requested);
    if (replans && !signalled) {
      return intervals.settling(); // the run that has rejected it is about to end
    }
    if (replans) {
      pluginChanged.remove(uid);
    }
    decisions.put(uid, new EarlierDecision(requested, decision));
    return Duration.between(now, decision.nextCheck());
  }

  /** Returns whether a run was signalled. */
  private boolean carryOut(ChangeDecision.SignalAction action, App app, RequestedChange requested) {
    var request = requested.request();
    var signalled =
        switch (action) {
          case SIGNAL -> true;
          case CHECK_RUN -> isLost(app, requested);
          case WAIT -> false;
        };
    if (signalled) {
      signal(new ChangeSignal(request, cause(action, requested)));
    }
    return signalled;
  }

  private boolean isLost(App app, RequestedChange requested) {
    var open = runs.openRun(requested.request().namespace(), requested.request().app());
    open.filter(run -> run.trouble().isPresent()).ifPresent(run -> stuck.report(app, run));
    return open.filter(requested::mayBeCarriedOutBy).isEmpty() && isRequested(app, requested);
  }

  /** A busy watcher sees that a change has finished after its run has ended. */
  private boolean isRequested(App app, RequestedChange requested) {
    return live.apply(app).flatMap(this::requested).filter(requested::equals).isPresent();
  }

  private Optional<RequestedChange> requested(App app) {
    return Optional.of(app)
        .filter(uses::hold)
        .flatMap(RequestedChange::heldDeletion)
        .or(() -> RequestedChange.of(app))
        .or(() -> Optional.of(app).filter(this::isOutdated).flatMap(RequestedChange::again));
  }

  private boolean isOutdated(App app) {
    return uses.areOutdated(app) || secretsChanged.test(app);
  }

  private static SignalCause cause(ChangeDecision.SignalAction action, RequestedChange requested) {
    if (action == ChangeDecision.SignalAction.SIGNAL) {
      return requested.request().deleted() ? SignalCause.DELETION : SignalCause.EDIT;
    }
    return switch (requested.stage()) {
      case REJECTED, OUTDATED -> SignalCause.REPLAN;
      case NOT_ACCEPTED, IN_PROGRESS, UNFINISHED -> SignalCause.LOST_RUN;
    };
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
