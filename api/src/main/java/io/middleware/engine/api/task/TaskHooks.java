package io.middleware.engine.api.task;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Optional;

/**
 * The hooks of one task.
 *
 * @param before runs when the component is opened and no group is touched yet
 * @param after runs when all groups have converged, and the component is not settled yet
 */
public record TaskHooks(
    @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<TaskHook> before,
    @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<TaskHook> after) {
  public static final TaskHooks NONE = new TaskHooks(Optional.empty(), Optional.empty());

  public TaskHooks {
    before = requireNonNullElse(before, Optional.empty());
    after = requireNonNullElse(after, Optional.empty());
  }

  /** Whether there is one. */
  public boolean exist() {
    return before.isPresent() || after.isPresent();
  }
}
