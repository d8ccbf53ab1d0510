package io.middleware.engine.api.plugin;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What to do when no agent can give an order. */
public enum OrderFallbackMode {
  /** All together. */
  @JsonProperty("Concurrent")
  CONCURRENT,

  /** One after the other, by name. */
  @JsonProperty("Sequential")
  SEQUENTIAL,

  /** The task fails. */
  @JsonProperty("Fail")
  FAIL
}
