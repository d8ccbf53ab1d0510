package io.middleware.engine.api.testing;

import com.fasterxml.jackson.annotation.JsonProperty;

/** When a test deletes what it has created. */
public enum CleanUp {
  /** At its end, however it ends. */
  @JsonProperty("Always")
  ALWAYS,
  /** Only after it has passed: what has failed can be looked at. */
  @JsonProperty("OnSuccess")
  ON_SUCCESS,
  /** Never. */
  @JsonProperty("Never")
  NEVER
}
