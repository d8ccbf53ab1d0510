package io.middleware.engine.workflows.port;

import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;

/**
 * Lets pods join the cluster of their group, and leave it. The methods wait as long as their
 * timeout allows, and while the App is paused; they heartbeat their last observation and end early
 * when cancelled, which terminates what an agent is doing for them. They fail with kind SUPERSEDED
 * when another run holds the App's run lock.
 */
@ActivityInterface
public interface MemberActivities {

  /**
   * Has the group's agents make the move known to the middleware, before the number of pods
   * changes: {@code join} for a pod that is not there yet, {@code leave} for one that is about to
   * go. It is asked of a ready member, and never of the pod that moves. That the move has begun is
   * kept on the Group first, so that whoever works on the group next completes it or takes it back.
   *
   * <p>A pod that is ready leaves only when all others are, so that enough of them remain; one that
   * is broken leaves in any case. A pod joins only when all members are ready, and with an empty
   * volume: the volume claims of a member that has left are deleted, and others refuse the move
   * with kind INVALID.
   *
   * <p>A repeat asks with the same operation ids, and so attaches to what is being done, or gets
   * the result that the agent keeps. An agent that has nothing to do there says so. Fails with kind
   * AGENT_REFUSED and its message when it refuses; the number of pods has not changed then.
   */
  @ActivityMethod
  void beginMove(MoveRequest request);

  /**
   * Completes the move once the pods are there, or gone: has the agent of a pod that joins confirm
   * with {@code joined} that it is a whole member, and forgets the move. Repeats and failures as of
   * {@link #beginMove}.
   */
  @ActivityMethod
  void endMove(MoveRequest request);

  /** A move of one member of a group. */
  record MoveRequest(GroupRef group, MemberMove move) implements ChangeStep {
    @Override
    public ChangeRef change() {
      return group.change();
    }
  }
}
