package io.middleware.engine.workflows.port;

import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;
import java.util.List;

/**
 * Writes objects. Every write is a server-side apply or a delete by name and may be repeated; every
 * method fails with kind SUPERSEDED when another run has claimed the App.
 */
@ActivityInterface
public interface ResourceActivities {

  /**
   * Writes the Component with what this task changes, marks the task's type as unfinished and keeps
   * what was there before. Of a rollback: writes what was kept; its groups are those whose Group
   * the task has changed.
   *
   * @return the groups this task works on, by name
   */
  @ActivityMethod
  List<String> openComponent(TaskRef task);

  /**
   * Takes the mark away, or deletes the Component when the task removes it. After a rollback the
   * Component is as if the task had never begun.
   */
  @ActivityMethod
  void settleComponent(TaskRef task);

  /**
   * Writes the Group, renders its objects, passes them through the guard and applies them; prunes
   * the rest. Fails with kind PAUSED, and has written nothing, while the App is paused; but what it
   * has begun to replace it makes again first.
   *
   * <p>When pods with agents are to go for good, it only names them, and has written nothing: they
   * are drained first.
   */
  @ActivityMethod
  AppliedGroup applyGroup(GroupRef group);

  /** The same, when the pods that are to go have been drained: it is written in any case. */
  @ActivityMethod
  AppliedGroup applyDrainedGroup(GroupRef group);

  /**
   * Ends what a step that was cut off has left half-way: a StatefulSet that it has deleted to
   * replace it is made again, also while the App is paused. Nothing is written otherwise.
   */
  @ActivityMethod
  void completeGroup(GroupRef group);

  /**
   * Deletes the Group's objects, and its volumes where the App's deletion policy says so. The Group
   * itself stays: it says that something of it may be left. Fails with kind PAUSED, and has deleted
   * nothing, while the App is paused.
   *
   * <p>When pods with agents go and other groups of their component stay, it only names them, in
   * the order in which their agents would stop them, and has deleted nothing: they are drained
   * first.
   */
  @ActivityMethod
  AppliedGroup removeGroup(GroupRef group);

  /** The same, when its pods have been drained: it is deleted in any case. */
  @ActivityMethod
  void removeDrainedGroup(GroupRef group);

  /** Deletes the Group itself, once nothing of it is left; it may be gone already. */
  @ActivityMethod
  void releaseGroup(GroupRef group);

  /** Lets a deleted App go: removes our finalizer. Nothing happens when the App is gone already. */
  @ActivityMethod
  void releaseApp(ChangeRef change);
}
