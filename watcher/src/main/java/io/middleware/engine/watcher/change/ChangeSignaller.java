package io.middleware.engine.watcher.change;

import io.middleware.engine.api.App;
import io.middleware.engine.watcher.cache.LruCache;
import io.middleware.engine.watcher.change.ChangeDecision.Earlier;
import io.middleware.engine.watcher.change.ChangeSignal.Cause;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees to it that what an App asks for is carried out. An App whose spec cannot be read is
 * signalled like any other: its run rejects it and says so in the App's status, in its turn, so
 * that only one hand ever writes that condition.
 */
public final class ChangeSignaller {
  private static final Logger LOG = LoggerFactory.getLogger(ChangeSignaller.class);

  private final ChangeRuns runs;
  private final RunCheckIntervals patience;
  private final InstantSource clock;
  private final LruCache<String, Earlier> decisions = new LruCache<>();

  public ChangeSignaller(ChangeRuns runs, RunCheckIntervals patience, InstantSource clock) {
    this.runs = runs;
    this.patience = patience;
    this.clock = clock;
  }

  /**
   * Does what is to be done now; what Temporal could not be told is not forgotten.
   *
   * @return when to attend to this App again if nothing happens before
   */
  public Optional<Duration> attend(App app) {
    var wish = RequestedChange.of(app);
    if (wish.isEmpty()) {
      decisions.remove(app.getMetadata().getUid());
      return Optional.empty();
    }
    try {
      return Optional.of(attend(app, wish.get()));
    } catch (TemporalUnavailableException e) {
      return Optional.of(patience.away());
    }
  }

  private Duration attend(App app, RequestedChange wish) {
    var uid = app.getMetadata().getUid();
    var now = clock.instant();
    var decision = ChangeDecision.of(wish, decisions.get(uid), patience, now);
    carryOut(decision.step(), wish);
    decisions.put(uid, new Earlier(wish, decision.lookAgain()));
    return Duration.between(now, decision.lookAgain());
  }

  private void carryOut(ChangeDecision.Step step, RequestedChange wish) {
    switch (step) {
      case SIGNAL ->
          signal(
              new ChangeSignal(
                  wish.request(), wish.request().deleted() ? Cause.DELETION : Cause.EDIT));
      case LOOK_FOR_RUN -> {
        if (!runs.isOpen(wish.request().namespace(), wish.request().app())) {
          signal(new ChangeSignal(wish.request(), Cause.LOST_RUN));
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
