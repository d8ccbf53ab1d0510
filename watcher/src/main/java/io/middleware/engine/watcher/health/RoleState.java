package io.middleware.engine.watcher.health;

import java.time.Duration;
import java.util.Optional;

/**
 * What the roles of one group's pods say together.
 *
 * @param observedSwitchover the last of the engine's switchovers since which the agents were asked;
 *     empty when there was none
 * @param inconsistentFor how long its pods have said that several are the primary, or that none is
 *     although one was; empty when they do not
 */
public record RoleState(String observedSwitchover, Optional<Duration> inconsistentFor) {
  static final RoleState NONE = new RoleState("", Optional.empty());

  /** Elections end sooner: a failover is not a problem. */
  static final Duration GRACE = Duration.ofSeconds(15);

  /** Whether it is no election any more. */
  boolean isInconsistent() {
    return inconsistentFor.filter(time -> time.compareTo(GRACE) >= 0).isPresent();
  }

  /** When it may be a problem; empty when there is no sign of one, or when it is one. */
  Optional<Duration> untilInconsistent() {
    return inconsistentFor.map(GRACE::minus).filter(Duration::isPositive);
  }
}
