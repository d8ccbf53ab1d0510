package io.middleware.engine.api.plugin;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.middleware.engine.api.task.HookPoint;

/** A hook of a task that a rollback could otherwise undo. */
public enum FinalHook {
  @JsonProperty("beforeUpgrade")
  BEFORE_UPGRADE(HookPoint.BEFORE_UPGRADE),
  @JsonProperty("afterUpgrade")
  AFTER_UPGRADE(HookPoint.AFTER_UPGRADE),
  @JsonProperty("afterScale")
  AFTER_SCALE(HookPoint.AFTER_SCALE);

  private final HookPoint point;

  FinalHook(HookPoint point) {
    this.point = point;
  }

  /** Where in the task it is. */
  public HookPoint point() {
    return point;
  }
}
