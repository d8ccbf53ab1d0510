package io.middleware.engine.api.plugin;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The Pod Security Standard that a plugin's pods meet. */
public enum PodSecurity {
  /** No access to the host and no added privileges. */
  @JsonProperty("Baseline")
  BASELINE,

  /** Also no root, a seccomp profile and no capabilities; filled in where a template is silent. */
  @JsonProperty("Restricted")
  RESTRICTED
}
