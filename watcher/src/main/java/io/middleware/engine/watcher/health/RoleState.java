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
 * @param failover how long that may last: a failover ends sooner, and is not a problem
 * @param troubles what keeps pods from what their roles promise
 */
public record RoleState(
    String observedSwitchover,
    Optional<Duration> inconsistentFor,
    Duration failover,
    List<RoleTrouble> troubles) {
  /** Of a group whose Plugin grants no other time; and what passes by itself ends sooner. */
  static final Duration GRACE = Duration.ofSeconds(15);

  static final RoleState NONE = new RoleState("", Optional.empty(), GRACE, List.of());

  public RoleState {
    troubles = List.copyOf(troubles);
  }

  /** Of a group whose failovers take no longer than usual. */
  public RoleState(
      String observedSwitchover, Optional<Duration> inconsistentFor, List<RoleTrouble> troubles) {
    this(observedSwitchover, inconsistentFor, GRACE, troubles);
  }

  /** The same where a failover may take so long. */
  public RoleState within(Duration other) {
    return new RoleState(observedSwitchover, inconsistentFor, other, troubles);
  }

  /**
   * What keeps a pod from what its role promises.
   *
   * @param text as its agent says
   */
  public record RoleTrouble(String pod, String text, Duration lasting) {}

  /** Whether it is no election any more. */
  boolean isInconsistent() {
    return inconsistentFor.filter(time -> time.compareTo(failover) >= 0).isPresent();
  }

  /** Those that have lasted for so long that they do not pass by themselves. */
  List<RoleTrouble> lastingTroubles() {
    return troubles.stream().filter(it -> it.lasting().compareTo(GRACE) >= 0).toList();
  }

  /** When something may be a problem; empty when there is no sign of one, or when it is one. */
  Optional<Duration> untilProblem() {
    return Stream.concat(
            inconsistentFor.map(failover::minus).stream(),
            troubles.stream().map(RoleTrouble::lasting).map(GRACE::minus))
        .filter(Duration::isPositive)
        .min(Duration::compareTo);
  }
}
