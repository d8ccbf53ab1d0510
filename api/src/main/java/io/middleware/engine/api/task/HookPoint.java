package io.middleware.engine.api.task;

import java.util.Arrays;
import java.util.stream.Stream;

/** Where a task may run an action of the Plugin as a step of its own; the label is the field. */
public enum HookPoint {
  AFTER_PROVISION("afterProvision", ChangeType.PROVISION, false),
  BEFORE_UPGRADE("beforeUpgrade", ChangeType.VERSION_UPGRADE, true),
  AFTER_UPGRADE("afterUpgrade", ChangeType.VERSION_UPGRADE, false),
  AFTER_SCALE("afterScale", ChangeType.RESOURCES, false),
  BEFORE_REMOVE("beforeRemove", ChangeType.REMOVE, true);

  private final String label;
  private final ChangeType type;
  private final boolean before;

  HookPoint(String label, ChangeType type, boolean before) {
    this.label = label;
    this.type = type;
    this.before = before;
  }

  /** The word in a Plugin, for example {@code beforeUpgrade}. */
  public String label() {
    return label;
  }

  /** Whether it is before the task touches its first group; otherwise it is after the last one. */
  public boolean isBefore() {
    return before;
  }

  /** Those of tasks of this type. */
  public static Stream<HookPoint> of(ChangeType type) {
    return Arrays.stream(values()).filter(point -> point.type == type);
  }
}
