package io.middleware.engine.api;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What happens to the volumes when an App is deleted. */
public enum DeletionPolicy {
  /** They are kept. */
  @JsonProperty("Retain")
  RETAIN,

  /** They are deleted with their data. */
  @JsonProperty("Delete")
  DELETE
}
