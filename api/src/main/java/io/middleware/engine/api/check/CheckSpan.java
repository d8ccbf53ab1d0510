package io.middleware.engine.api.check;

import com.fasterxml.jackson.annotation.JsonProperty;

/** How long a check is repeated in the background. */
public enum CheckSpan {
  /** While the tasks of a change run. */
  @JsonProperty("Change")
  CHANGE
}
