package io.middleware.engine.agent.redis;

import io.grpc.StatusRuntimeException;
import io.middleware.engine.agent.driver.PodMaintenance;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one pod in its group: looked at again and again, it follows the primary, or becomes it when
 * there is none and two looks in a row agree on that. Used by one thread.
 */
public final class GroupMembership implements PodMaintenance {
  private static final Logger LOG = LoggerFactory.getLogger(GroupMembership.class);

  private final RedisGroup group;
  private boolean joined;
  private MembershipStep last = new MembershipStep.Stay();

  /**
   * @param joined whether it is known to have joined its group, from before this process
   */
  public GroupMembership(RedisGroup group, boolean joined) {
    this.group = group;
    this.joined = joined;
  }

  /**
   * The pod serves when its Redis answers, and has been the primary or in step with it since it
   * started. A replica that has lost its primary goes on serving what it has.
   */
  @Override
  public boolean look() {
    try {
      var mine = group.self().replication();
      joined |= mine.primary() || mine.linkUp();
      if (!settled(mine)) {
        act(group.look(mine).next(group.peers()::expected));
      }
      return joined;
    } catch (StatusRuntimeException e) {
      joined = false;
      note(new MembershipStep.Await(String.valueOf(e.getStatus().getDescription())));
      return false;
    }
  }

  /** A primary stays one until it switches over; a replica asks nobody but its primary. */
  private boolean settled(ReplicationState mine) {
    var settled =
        mine.primary()
            || mine.linkUp()
                && group.ask(mine.master()).filter(ReplicationState::primary).isPresent();
    if (settled) {
      note(new MembershipStep.Stay());
    }
    return settled;
  }

  private void act(MembershipStep step) {
    var again = step.equals(last);
    note(step);
    switch (step) {
      case MembershipStep.Follow(var primary) -> group.self().follow(primary.address());
      case MembershipStep.Promote() -> {
        if (again) {
          group.self().promote();
        }
      }
      case MembershipStep.Stay stay -> {}
      case MembershipStep.Await await -> {}
    }
  }

  private void note(MembershipStep step) {
    if (!step.equals(last)) {
      last = step;
      LOG.atInfo().addKeyValue("pod", group.pod()).addKeyValue("step", step).log("in its group");
    }
  }
}
