package io.middleware.engine.watcher.change;

import java.time.Instant;
import java.util.Optional;

/**
 * What to do about a wish now, and when to look again if nothing happens.
 *
 * <ol>
 *   <li>A wish that no run has taken on is signalled once. The signal is durable: it is never
 *       repeated while a run is open, however long that takes.
 *   <li>Every wish that stands for long is looked after: when no run is open, it is signalled again
 *       (the run was terminated, or natively cancelled with an edit pending).
 * </ol>
 */
record ChangeDecision(Step step, Instant lookAgain) {

  enum Step {
    SIGNAL,
    LOOK_FOR_RUN,
    WAIT
  }

  /** What was last decided about a wish of this App. */
  record Earlier(RequestedChange wish, Instant lookAgain) {}

  static ChangeDecision of(
      RequestedChange wish, Optional<Earlier> earlier, RunCheckIntervals patience, Instant now) {
    var known = earlier.filter(last -> last.wish().equals(wish));
    if (known.isEmpty()) {
      var step = wish.stage() == RequestedChange.Stage.UNANSWERED ? Step.SIGNAL : Step.WAIT;
      return new ChangeDecision(step, patience.firstLook(wish, now));
    }
    var due = known.get().lookAgain();
    return now.isBefore(due)
        ? new ChangeDecision(Step.WAIT, due)
        : new ChangeDecision(Step.LOOK_FOR_RUN, patience.nextLook(now));
  }
}
