package io.middleware.engine.api.check;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What may not begin before a check holds. */
public enum CheckGate {
  /** The end of a pod, which the engine is about to replace, rebuild or remove. */
  @JsonProperty("Pod")
  POD
}
