package io.middleware.engine.workflows.port;

import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The steps of a backup. Each may be repeated, and does its work once. */
@ActivityInterface
public interface BackupActivities {

  /** The Backup that a change needs before it upgrades the App. Writes nothing. */
  @ActivityMethod
  NeededBackup neededBackup(TaskRef task);

  /**
   * Begins a Backup: creates the object if the App's schedule or a change asks for it, and writes
   * into its status what is backed up. A run of a schedule whose App is gone deletes the schedule.
   */
  @ActivityMethod
  BackupBegun beginBackup(BackupRef backup);

  /**
   * Has the agent of a replica of the group, or of the primary when it is alone, copy its data to
   * the store, and read the copy again. Waits for pods and for agents that do not answer; a pod
   * that goes away is replaced by another one. Heartbeats with the progress, and ends early when
   * cancelled, which stops the agent.
   *
   * <p>The pod and the key of the copy are in the Backup's status before the agent is asked. So a
   * repeat attaches to the same copy.
   *
   * <p>Fails with kind AGENT_REFUSED when no pod's agent can make a valid copy.
   */
  @ActivityMethod
  void copyGroup(GroupCopy copy);

  /** Deletes from the store what was copied for a Backup that has not succeeded. */
  @ActivityMethod
  void discardCopies(BackupRef backup);

  /** Writes how the Backup has ended, with an event. */
  @ActivityMethod
  void endBackup(BackupEnd end);

  /**
   * Deletes the oldest Backups that the App's schedule has made, beyond the number that the App
   * keeps. The newest good one is never deleted.
   */
  @ActivityMethod
  void pruneBackups(BackupRef backup);

  /**
   * Deletes the copies of a Backup that is being deleted, then lets it go. Where the App is gone,
   * or has no agents that reach the store, the copies stay, and an event says where.
   */
  @ActivityMethod
  void removeBackup(BackupRef backup);

  /**
   * A Backup that a change needs.
   *
   * @param name of the one that the change has already taken, or of one that does not exist yet
   * @param taken whether it has been taken, and is good
   */
  record NeededBackup(String name, boolean taken) {}

  /**
   * What is to be copied.
   *
   * @param groups all groups with data
   * @param timeout time limit of all copies together
   * @param refusal why there is no backup; empty when there is one. The Backup's status says it too
   */
  record BackupBegun(List<BackupGroup> groups, Duration timeout, Optional<String> refusal) {}

  /** A group with data. */
  record BackupGroup(String component, String group) {}

  /** A group that is to be copied. */
  record GroupCopy(BackupRef backup, BackupGroup group) implements BackupStep {}

  /**
   * How a Backup has ended.
   *
   * @param phase one of the phases of an end
   * @param why for people; empty for one that has succeeded
   */
  record BackupEnd(BackupRef backup, String phase, String why) implements BackupStep {}
}
