package io.middleware.engine.api.check;

import com.fasterxml.jackson.annotation.JsonProperty;

/** When a check is carried out. */
public enum CheckPoint {
  /** On each group that a task has changed, before the next group begins. */
  @JsonProperty("Group")
  GROUP,
  /** Once on the component, after all its groups. */
  @JsonProperty("Task")
  TASK,
  /** Once on the component, after the last task of the change. */
  @JsonProperty("Change")
  CHANGE
}
