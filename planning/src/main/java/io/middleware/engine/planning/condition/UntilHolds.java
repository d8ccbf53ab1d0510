package io.middleware.engine.planning.condition;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Decides on one check from what one look after the other has found: it must begin to hold within a
 * time, and then keep holding for a time. If it stops to hold before the first time is over, it may
 * begin again. While it keeps holding, it may be unknown for a while.
 */
public final class UntilHolds {
  /** Longer than an API server takes to start again. */
  private static final Duration LONGEST_DOUBT = Duration.ofSeconds(30);

  private final Instant deadline;
  private final Duration keeps;
  private Optional<Instant> since = Optional.empty();
  private Instant heldLast = Instant.MIN;

  /**
   * @param within how long it may take until it begins to hold
   * @param keeps how long it must hold then; zero: once is enough
   */
  public UntilHolds(Instant begin, Duration within, Duration keeps) {
    this.deadline = begin.plus(within);
    this.keeps = keeps;
  }

  /** Goes on with a check that has begun to hold before, and was looked at last at that time. */
  public void resume(Instant heldSince, Instant looked) {
    since = Optional.of(heldSince);
    heldLast = looked;
  }

  /** Since when it holds; empty: it does not. */
  public Optional<Instant> since() {
    return since;
  }

  /** What is known of the check by now. */
  public enum Decision {
    OPEN,
    PASSED,
    FAILED
  }

  /** Decides by one more look. */
  public Decision after(Verdict verdict, Instant now) {
    if (verdict instanceof Verdict.NotKnown
        && since.isPresent()
        && now.isBefore(heldLast.plus(LONGEST_DOUBT))) {
      return Decision.OPEN;
    }
    if (!(verdict instanceof Verdict.Holds)) {
      since = Optional.empty();
      return now.isBefore(deadline) ? Decision.OPEN : Decision.FAILED;
    }
    heldLast = now;
    since = since.or(() -> Optional.of(now));
    return now.isBefore(since.get().plus(keeps)) ? Decision.OPEN : Decision.PASSED;
  }
}
