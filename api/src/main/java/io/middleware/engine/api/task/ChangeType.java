package io.middleware.engine.api.task;

import java.util.Arrays;
import java.util.List;

/** What a task does to its component; the label is what users read and write. */
public enum ChangeType {
  /** Backs up the whole App before an upgrade; the task's component is the App's name. */
  BACKUP("Backup", 0, Scenario.UPGRADE),
  VERSION_UPGRADE("VersionUpgrade", 0, Scenario.UPGRADE),
  STORAGE("Storage", 1, Scenario.UPDATE),
  CONFIG("Config", 2, Scenario.UPDATE),
  RESOURCES("Resources", 3, Scenario.UPDATE),
  /** Of an Operation. */
  RESTART("Restart", 3, Scenario.UPDATE),
  /** Of an Operation; in a change, of what a deleted App of the same name has left behind. */
  REAPPLY("Reapply", 3, Scenario.UPDATE),
  /** Of an Operation. */
  SWITCHOVER("Switchover", 3, Scenario.UPDATE),
  /** Of an Operation. */
  REBUILD("Rebuild", 3, Scenario.UPDATE),
  /** Of an Operation. */
  ROTATE_SECRETS("RotateSecrets", 3, Scenario.UPDATE),
  /** Of an Operation: runs an action of the Plugin. */
  ACTION("Action", 3, Scenario.UPDATE),
  /** Carries out the checks that follow a whole change. */
  CHECK("Check", 3, Scenario.UPDATE),
  PROVISION("Provision", 3, Scenario.PROVISION),
  REMOVE("Remove", 3, Scenario.STOP),
  START("Start", 3, Scenario.PROVISION),
  STOP("Stop", 3, Scenario.STOP);

  /** The types a plugin may put in another order, in their default order. */
  public static final List<ChangeType> DEFAULT_ORDER =
      List.of(VERSION_UPGRADE, STORAGE, CONFIG, RESOURCES);

  private final String label;
  private final int priority;
  private final Scenario scenario;

  ChangeType(String label, int priority, Scenario scenario) {
    this.label = label;
    this.priority = priority;
    this.scenario = scenario;
  }

  /** The word in specs, statuses and task ids, for example {@code VersionUpgrade}. */
  public String label() {
    return label;
  }

  /** 0 (most urgent) to 3, shown as P0 to P3. */
  public int priority() {
    return priority;
  }

  /**
   * Whether a rollback can restore the previous state. What was created, removed or restarted
   * remains as it is.
   */
  public boolean isReversible() {
    return switch (this) {
      case VERSION_UPGRADE, CONFIG, RESOURCES, STOP, START -> true;
      case BACKUP, PROVISION, REMOVE, STORAGE -> false;
      case RESTART, REAPPLY, SWITCHOVER, REBUILD, ROTATE_SECRETS, ACTION, CHECK -> false;
    };
  }

  /** Whether it works on the pods of a component. */
  public boolean touchesPods() {
    return this != BACKUP && this != CHECK;
  }

  /** Which of the plugin's orders applies. */
  public Scenario scenario() {
    return scenario;
  }

  /**
   * The type of this label.
   *
   * @throws IllegalArgumentException naming the label and the known ones
   */
  public static ChangeType of(String label) {
    return Arrays.stream(values())
        .filter(type -> type.label.equals(label))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "unknown change type '%s', known are %s"
                        .formatted(
                            label, Arrays.stream(values()).map(ChangeType::label).toList())));
  }
}
