package io.middleware.engine.api.check;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Which pods a check asks. */
public enum CheckedRole {
  /** The primary; there must be one. */
  @JsonProperty("Primary")
  PRIMARY,
  /** Each pod that is not the primary; there may be none. */
  @JsonProperty("Replica")
  REPLICA
}
