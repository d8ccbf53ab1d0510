package io.middleware.engine.workflows.testing.port;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * How far a step of a round is.
 *
 * @param message for people; may be empty
 * @param startedAt empty: it has not begun
 * @param completedAt empty: it has not ended
 */
public record StepProgress(
    String name,
    Phase phase,
    String message,
    @JsonInclude(Include.NON_ABSENT) Optional<Instant> startedAt,
    @JsonInclude(Include.NON_ABSENT) Optional<Instant> completedAt) {
  public StepProgress {
    startedAt = Objects.requireNonNullElse(startedAt, Optional.empty());
    completedAt = Objects.requireNonNullElse(completedAt, Optional.empty());
  }

  /** Phases of a step, as far as the workflow knows them. */
  public enum Phase {
    PENDING("Pending"),
    /** Its activities say more in the status. */
    RUNNING("Applying"),
    PASSED("Passed"),
    FAILED("Failed"),
    CANCELLED("Cancelled"),
    SKIPPED("Skipped");

    private final String label;

    Phase(String label) {
      this.label = label;
    }

    /** The word in statuses. */
    public String label() {
      return label;
    }
  }
}
