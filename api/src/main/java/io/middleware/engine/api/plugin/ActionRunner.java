package io.middleware.engine.api.plugin;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Who runs an action. */
public enum ActionRunner {
  /** The agent in the pod. */
  @JsonProperty("Agent")
  AGENT,
  /** A Job of each group. */
  @JsonProperty("Job")
  JOB
}
