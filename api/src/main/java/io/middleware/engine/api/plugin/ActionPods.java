package io.middleware.engine.api.plugin;

import com.fasterxml.jackson.annotation.JsonProperty;

/** On which pods of a group an action runs. */
public enum ActionPods {
  /** On all, one after the other. */
  @JsonProperty("Each")
  EACH,
  /** On any one. */
  @JsonProperty("One")
  ONE,
  /** On the primary. */
  @JsonProperty("Primary")
  PRIMARY,
  /** On any one that is not the primary. */
  @JsonProperty("AnyReplica")
  ANY_REPLICA
}
