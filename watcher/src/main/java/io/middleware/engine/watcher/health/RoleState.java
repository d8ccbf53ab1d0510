package io.middleware.engine.watcher.health;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What the roles of one group's pods say together.
 *
 * @param observedSwitchover the last of the engine's switchovers since which the agents were asked;
 *     empty when there was none
 * @param inconsistentFor how long its pods have said that several are the primary, or that none is
 *     although one was; empty when they do not
 * @param troubles what keeps pods from what their roles promise
 */
public record RoleState(
    String observedSwitchover, Optional<Duration> inconsistentFor, List<RoleTrouble> troubles) {
  static final RoleState NONE = new RoleState("", Optional.empty(), List.of());

  /** Elections end sooner: a failover is not a problem. */
  static final Duration GRACE = Duration.ofSeconds(15);

  public RoleState {
    troubles = List.copyOf(troubles);
  }

  /**
   * What keeps a pod from what its role promises.
   *
   * @param text as its agent says
   */
  public record RoleTrouble(String pod, String text, Duration lasting) {}

  /** Whether it is no election any more. */
  boolean isInconsistent() {
    return inconsistentFor.filter(RoleState::isLong).isPresent();
  }

  /** Those that have lasted for so long that they do not pass by themselves. */
  List<RoleTrouble> lastingTroubles() {
    return troubles.stream().filter(it -> isLong(it.lasting())).toList();
  }

  /** When something may be a problem; empty when there is no sign of one, or when it is one. */
  Optional<Duration> untilProblem() {
    return Stream.concat(inconsistentFor.stream(), troubles.stream().map(RoleTrouble::lasting))
        .map(GRACE::minus)
        .filter(Duration::isPositive)
        .min(Duration::compareTo);
  }

  private static boolean isLong(Duration time) {
    return time.compareTo(GRACE) >= 0;
  }
}
