package io.middleware.engine.api.change;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What happens to a task that was cancelled or that failed. */
public enum UndoAction {
  /** The previous state is restored. */
  @JsonProperty("Rollback")
  ROLLBACK,

  /** Everything stays as it is. */
  @JsonProperty("Hold")
  HOLD
}
