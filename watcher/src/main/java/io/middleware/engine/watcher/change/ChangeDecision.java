package io.middleware.engine.watcher.change;

import java.time.Instant;
import java.util.Optional;

/**
 * What to do about a requested change now, and when to check again if nothing happens.
 *
 * <ol>
 *   <li>A request that no run has accepted is signalled once. The signal is durable: it is never
 *       repeated while a run is open, however long that takes.
 *   <li>Every request that is not finished is checked regularly: if no run is open, or another one
 *       than that which carries it out, it is signalled again (the run was terminated, or cancelled
 *       through Temporal with an edit pending, or Temporal's database was restored).
 * </ol>
 */
record ChangeDecision(SignalAction action, Instant nextCheck) {

  enum SignalAction {
    SIGNAL,
    CHECK_RUN,
    WAIT
  }

  /** The last decision about a request of this App. */
  record EarlierDecision(RequestedChange request, Instant nextCheck) {}

  static ChangeDecision of(
      RequestedChange request,
      Optional<EarlierDecision> earlier,
      RunCheckIntervals intervals,
      Instant now) {
    var known = earlier.filter(last -> last.request().equals(request));
    if (known.isEmpty()) {
      var action =
          request.stage() == RequestedChange.RequestStage.NOT_ACCEPTED
              ? SignalAction.SIGNAL
              : SignalAction.WAIT;
      return new ChangeDecision(action, intervals.firstCheck(request, now));
    }
    var due = known.get().nextCheck();
    return now.isBefore(due)
        ? new ChangeDecision(SignalAction.WAIT, due)
        : new ChangeDecision(SignalAction.CHECK_RUN, intervals.checkAfter(now));
  }
}
