package io.middleware.engine.api.testing;

import com.fasterxml.jackson.annotation.JsonProperty;

/** How the steps of a test follow each other. */
public enum TestMode {
  /** One after the other; a step that fails ends the round. */
  @JsonProperty("Sequential")
  SEQUENTIAL,
  /** All at the same time. */
  @JsonProperty("Parallel")
  PARALLEL
}
