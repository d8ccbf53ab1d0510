package io.middleware.engine.activities.testing.load;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The times at which a load is checked: one interval after its begin, two intervals, and so on.
 *
 * @param every at least a second
 * @param end the last time, if it is one of the grid; empty for none
 */
record CheckGrid(Instant begin, Duration every, Optional<Instant> end) {

  /**
   * The time of the check that is due: of those that have passed since the last check, the newest.
   *
   * @param last the time of the last check; empty before the first
   */
  Optional<Instant> due(Instant now, Optional<Instant> last) {
    var until = end.filter(now::isAfter).orElse(now);
    var newest = at(passed(until));
    return newest.isAfter(last.orElse(begin)) ? Optional.of(newest) : Optional.empty();
  }

  /** The next time. */
  Instant after(Instant now) {
    return at(passed(now) + 1);
  }

  private long passed(Instant time) {
    return Math.max(0, Duration.between(begin, time).dividedBy(every));
  }

  private Instant at(long number) {
    return begin.plus(every.multipliedBy(number));
  }
}
