package io.middleware.engine.api.plugin;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The type of a parameter's value. */
public enum ParameterType {
  @JsonProperty("string")
  STRING,
  @JsonProperty("integer")
  INTEGER,
  @JsonProperty("boolean")
  BOOLEAN
}
