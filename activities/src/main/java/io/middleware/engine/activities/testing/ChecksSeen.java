package io.middleware.engine.activities.testing;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import io.middleware.engine.planning.condition.UntilHolds.Decision;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * What an attempt leaves to the next one: how far checks are.
 *
 * @param begin of the first attempt
 * @param looked when it was looked last
 * @param blind how long no check was possible until then
 * @param checks in the order of the spec
 */
public record ChecksSeen(Instant begin, Instant looked, Duration blind, List<CheckSeen> checks) {
  public ChecksSeen {
    checks = List.copyOf(checks);
  }

  /**
   * How far a check is.
   *
   * @param since since when it holds, without the time in which nobody could look; empty: it does
   *     not
   */
  public record CheckSeen(
      Decision decision, @JsonInclude(Include.NON_ABSENT) Optional<Instant> since) {
    public CheckSeen {
      since = Objects.requireNonNullElse(since, Optional.empty());
    }
  }
}
