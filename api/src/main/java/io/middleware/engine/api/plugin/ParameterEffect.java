package io.middleware.engine.api.plugin;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What it takes to change a parameter in running pods. */
public enum ParameterEffect {
  /** The agents reload the configuration. */
  @JsonProperty("Hot")
  HOT,

  /** The pods are replaced. */
  @JsonProperty("Restart")
  RESTART,

  /** The value cannot be changed. */
  @JsonProperty("Immutable")
  IMMUTABLE
}
