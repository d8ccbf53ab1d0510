package io.middleware.engine.process;

import java.util.Optional;

/** What a check has found. */
public sealed interface Health {
  /** Nothing is wrong. */
  record Good() implements Health {}

  /**
   * The check has failed.
   *
   * @param reason for people
   */
  record Bad(String reason) implements Health {}

  /**
   * The check could not be made, which does not count as a failure.
   *
   * @param reason for people
   */
  record Unknown(String reason) implements Health {}

  /** What is wrong; empty when nothing is, or nothing is known. */
  default Optional<String> problem() {
    return this instanceof Bad(var reason) ? Optional.of(reason) : Optional.empty();
  }

  static Health of(Optional<String> problem) {
    return problem.<Health>map(Bad::new).orElseGet(Good::new);
  }
}
