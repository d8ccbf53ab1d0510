package io.middleware.engine.api.plugin;

import com.fasterxml.jackson.annotation.JsonProperty;

/** How the groups of a component type get another number of pods. */
public enum Scaling {
  /** The new number is written at once. */
  @JsonProperty("AllAtOnce")
  ALL_AT_ONCE,

  /** Pods are members of a cluster: one joins or leaves at a time. */
  @JsonProperty("OneByOne")
  ONE_BY_ONE
}
