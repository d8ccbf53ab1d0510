package io.middleware.engine.api.change;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What a new edit does to a running change. */
public enum NewEditPolicy {
  /** The change ends first. */
  @JsonProperty("Wait")
  WAIT,

  /** The change stops after the pods in hand, and the new edit is planned. */
  @JsonProperty("Supersede")
  SUPERSEDE
}
