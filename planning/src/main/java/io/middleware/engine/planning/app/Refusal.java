package io.middleware.engine.planning.app;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Optional;

/**
 * Why an App is not accepted.
 *
 * @param reason one of the documented reasons
 * @param message names the field and the remedy
 */
public record Refusal(String reason, String message) {
  public Refusal {
    requireNonNull(reason, "reason");
    requireNonNull(message, "message");
  }

  /** Combines all problems into one refusal; empty when there are none. */
  public static Optional<Refusal> of(String reason, List<String> problems) {
    return problems.isEmpty()
        ? Optional.empty()
        : Optional.of(new Refusal(reason, String.join("; ", problems)));
  }
}
