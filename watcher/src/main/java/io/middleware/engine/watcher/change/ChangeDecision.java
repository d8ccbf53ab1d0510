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
 *   <li>A request that was rejected is signalled again after growing pauses: what it lacked may be
 *       there by then.
 *   <li>A change that has been carried out is signalled again when another App changes that its App
 *       uses, or a Secret.
 * </ol>
 *
 * @param rejections how often the request has been rejected, as far as is known
 */
record ChangeDecision(SignalAction action, Instant nextCheck, int rejections) {

  enum SignalAction {
    SIGNAL,
    CHECK_RUN,
    WAIT
  }

  /** The last decision about a request of this App. */
  record EarlierDecision(RequestedChange request, ChangeDecision decision) {}

  static ChangeDecision of(
      RequestedChange request,
      Optional<EarlierDecision> earlier,
      RunCheckIntervals intervals,
      Instant now) {
    var known = earlier.filter(last -> last.request().equals(request));
    if (known.isEmpty()) {
      return first(request, earlier, intervals, now);
    }
    var last = known.get().decision();
    return now.isBefore(last.nextCheck())
        ? new ChangeDecision(SignalAction.WAIT, last.nextCheck(), last.rejections())
        : last.again(intervals, now);
  }

  /** Checks now whether a run is open. */
  ChangeDecision again(RunCheckIntervals intervals, Instant now) {
    return new ChangeDecision(SignalAction.CHECK_RUN, intervals.checkAfter(now), rejections);
  }

  private static ChangeDecision first(
      RequestedChange request,
      Optional<EarlierDecision> earlier,
      RunCheckIntervals intervals,
      Instant now) {
    var rejections = rejections(request, earlier);
    return switch (request.stage()) {
      case NOT_ACCEPTED ->
          new ChangeDecision(
              SignalAction.SIGNAL, intervals.firstCheck(request, false, now), rejections);
      case IN_PROGRESS, UNFINISHED ->
          new ChangeDecision(
              SignalAction.WAIT, intervals.firstCheck(request, earlier.isEmpty(), now), rejections);
      case OUTDATED ->
          new ChangeDecision(SignalAction.CHECK_RUN, intervals.checkAfter(now), rejections);
      case REJECTED ->
          new ChangeDecision(
              SignalAction.WAIT, intervals.replan(rejections + 1, now), rejections + 1);
    };
  }

  /** A newer generation is rejected for the first time again. */
  private static int rejections(RequestedChange request, Optional<EarlierDecision> earlier) {
    return earlier
        .filter(last -> last.request().request().generation() == request.request().generation())
        .map(last -> last.decision().rejections())
        .orElse(0);
  }
}
