package io.middleware.engine.workflows.port;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.middleware.engine.workflows.port.GroupWrite.Applied;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;

/**
 * Writes objects. Every write is a server-side apply or a delete under the uid that was read, and
 * may be repeated; every method fails with kind SUPERSEDED when another run holds the App's run
 * lock.
 */
@ActivityInterface
public interface ResourceActivities {

  /**
   * Writes the Component with what this task changes, marks the task's type as unfinished and
   * records the state before. A rollback writes what was recorded; its groups are those whose Group
   * the task has changed. The answer has the order of the groups, if the agents give it at once.
   *
   * <p>For an Operation that excludes nothing it writes nothing, and needs no run lock; such a task
   * is not settled.
   */
  @ActivityMethod
  OpenedComponent openComponent(TaskRef task);

  /**
   * Deletes what the task's groups no longer render, unless a pod still names it. Removes the mark,
   * or deletes the Component when the task removes it. After a rollback the Component is as if the
   * task had never begun.
   */
  @ActivityMethod
  void settleComponent(TaskRef task);

  /**
   * Writes the Group, renders its objects, checks them with the output guard and applies them. What
   * is no longer rendered stays for pods that are not replaced yet. Fails with kind PAUSED, without
   * having written anything, while the App is paused; but a StatefulSet that it has deleted to
   * replace it is created again first. The answer has the order of the pods, if the agents give it
   * at once.
   *
   * <p>When pods with agents are about to be removed for good, it only returns them and has written
   * nothing: they are drained first. Where pods join and leave one at a time, it only returns the
   * next one that moves, as long as there is one.
   */
  @ActivityMethod
  GroupWrite applyGroup(GroupRef group);

  /**
   * Applies the group with this many members, as one step on the way to another number. Fails with
   * kind PAUSED as {@link #applyGroup}. The answer has an order of the pods, which is still
   * unanswered, when some of them are broken: only those are replaced, if they are out of date.
   */
  @ActivityMethod
  Applied applyMembers(MembersWrite request);

  /**
   * A group, and how many of its pods are members now.
   *
   * @param running whether it has pods: then those of its members that are to leave are not waited
   *     for
   */
  record MembersWrite(
      GroupRef group, int members, @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean running)
      implements ChangeStep {
    @Override
    public ChangeRef change() {
      return group.change();
    }
  }

  /** Applies the group after its surplus pods are drained. */
  @ActivityMethod
  Applied applyDrainedGroup(GroupRef group);

  /**
   * Completes a step that was interrupted half-way: a StatefulSet that was deleted to replace it is
   * created again, also while the App is paused. Otherwise nothing is written.
   */
  @ActivityMethod
  void completeGroup(GroupRef group);

  /**
   * Deletes the Group's objects, and its volumes where the App's deletion policy says so. The Group
   * itself stays: it shows that parts of the group may still exist. Fails with kind PAUSED, without
   * having deleted anything, while the App is paused.
   *
   * <p>When pods with agents are removed and other groups of their component stay, it only returns
   * them, in the order in which their agents would stop them, and has deleted nothing: they are
   * drained first.
   */
  @ActivityMethod
  GroupRemoval removeGroup(GroupRef group);

  /** Removes the group after its pods are drained. */
  @ActivityMethod
  void removeDrainedGroup(GroupRef group);

  /** Deletes the Group itself, once all its parts are gone; it may be gone already. */
  @ActivityMethod
  void releaseGroup(GroupRef group);

  /** Removes our finalizer from a deleted App. Nothing happens when the App is gone already. */
  @ActivityMethod
  void releaseApp(ChangeRef change);
}
