package io.middleware.engine.watcher.request;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** What to do about a request now. Nothing is remembered: its object says how far it is. */
public sealed interface RequestDecision {
  String BEFORE_IT_BEGAN = "it was cancelled before it began";
  String UNREADABLE = "its spec cannot be read: it may need a newer engine";

  /**
   * Nothing is to be done.
   *
   * @param next when to look again if nothing happens before; empty when only an edit matters
   */
  record Wait(Optional<Duration> next) implements RequestDecision {}

  /**
   * It may not begin yet, and says why; one that has begun may not get another run yet.
   *
   * @param phase that it has meanwhile
   * @param next when to look again if nothing happens before; empty when only an edit matters
   */
  record Hold(String phase, String why, Optional<Duration> next) implements RequestDecision {}

  /**
   * A run is to carry it out, if none is open.
   *
   * @param behind what it waits for while a run for something else is open; empty when the workflow
   *     carries out nothing else
   */
  record Start(Optional<String> behind) implements RequestDecision {}

  /**
   * Its run is looked for.
   *
   * @param cancel whether the run is asked to stop
   * @param withoutRun what to do when there is none: it ends, or another run is needed
   */
  record Check(boolean cancel, RequestDecision withoutRun) implements RequestDecision {}

  /**
   * It ends without a run. Where a run has begun it and is still open, the run writes the end.
   *
   * @param reason one word
   */
  record End(String phase, Optional<String> reason, String why) implements RequestDecision {
    public End(String phase, String why) {
      this(phase, Optional.empty(), why);
    }
  }

  /** It has ended long ago, and is deleted. */
  record Remove() implements RequestDecision {}

  /** What to do about a request that has a workflow of its own. */
  static RequestDecision of(RequestProgress request, RequestEnds ends, Instant now) {
    if (request.endedAt().isPresent()) {
      return ended(request.endedAt().get(), request.kept(), now);
    }
    if (request.begun()) {
      return new Check(request.cancelled(), request.cancelled() ? ends.stopped() : ends.lost());
    }
    if (!request.readable()) {
      return ends.unreadable();
    }
    if (request.cancelled()) { // its run may be about to begin it
      return new Check(true, new End(RequestEnds.CANCELLED, BEFORE_IT_BEGAN));
    }
    return request
        .held()
        .<RequestDecision>map(hold -> hold)
        .orElseGet(() -> new Start(Optional.empty()));
  }

  /**
   * What to do about a request after its end.
   *
   * @param kept how long it stays; empty when it is a record, which stays
   */
  static RequestDecision ended(Instant at, Optional<Duration> kept, Instant now) {
    var remaining = kept.map(time -> Duration.between(now, at.plus(time)));
    return remaining.filter(time -> !time.isPositive()).isPresent()
        ? new Remove()
        : new Wait(remaining);
  }
}
