package io.middleware.engine.api.plugin;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The type of a parameter's value. */
public enum ParameterType {
  @JsonProperty("string")
  STRING,
  @JsonProperty("integer")
  INTEGER,
  @JsonProperty("boolean")
  BOOLEAN,
  /** Kept in a Secret, of which templates and agents get the name, never the value. */
  @JsonProperty("secret")
  SECRET
}
