package io.middleware.engine.api.change;

import com.fasterxml.jackson.annotation.JsonProperty;

/** When a planned change starts. */
public enum ApprovalMode {
  /** At once. */
  @JsonProperty("Automatic")
  AUTOMATIC,

  /** After somebody has approved the plan. */
  @JsonProperty("Manual")
  MANUAL
}
