package io.middleware.engine.workflows;

import com.fasterxml.jackson.annotation.JsonCreator;
import java.util.Optional;

/**
 * Which change is meant.
 *
 * @param generation that it carries out; empty: whichever is open
 */
public record ChangeScope(Optional<Long> generation) {

  /** The change of this generation and no later one. */
  public static ChangeScope of(long generation) {
    return new ChangeScope(Optional.of(generation));
  }

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  static ChangeScope of(Object json) {
    return new ChangeScope(OperatorInput.of(json).number("generation"));
  }
}
