package io.middleware.engine.api.plugin;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Which pods of a group an endpoint leads to. */
public enum EndpointRole {
  /** The one that says it is the primary, or none. */
  @JsonProperty("Primary")
  PRIMARY("Primary"),
  /** Those that say another role. */
  @JsonProperty("Replica")
  REPLICA("Replica"),
  /** All that are ready. */
  @JsonProperty("Any")
  ANY("Any");

  private final String label;

  EndpointRole(String label) {
    this.label = label;
  }

  /** As it is written. */
  public String label() {
    return label;
  }
}
