package io.middleware.engine.api;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Whether an App has pods. */
public enum RunState {
  /** All pods that the spec asks for. */
  @JsonProperty("Running")
  RUNNING,

  /** No pods; volumes and configuration are kept. */
  @JsonProperty("Stopped")
  STOPPED
}
