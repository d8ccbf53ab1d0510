package io.middleware.engine.agent.redis;

import io.grpc.StatusRuntimeException;
import io.middleware.engine.agent.driver.PodMaintenance;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one pod in its group: the pod follows the primary, or becomes primary when two checks in a
 * row decide so. Used by one thread.
 */
public final class GroupMembership implements PodMaintenance {
  private static final Logger LOG = LoggerFactory.getLogger(GroupMembership.class);

  private final RedisGroup group;
  private boolean joined;
  private MembershipStep last = new MembershipStep.Stay();

  /**
   * @param joined whether the pod already joined its group before this process started
   */
  public GroupMembership(RedisGroup group, boolean joined) {
    this.group = group;
    this.joined = joined;
  }

  /**
   * The pod serves when its Redis answers and has been the primary, or connected to it, since its
   * start. A replica that loses its primary continues to serve its data.
   */
  @Override
  public boolean maintain() {
    try {
      var own = group.self().replication();
      joined |= own.primary() || own.linkUp();
      if (!isSettled(own)) {
        act(group.snapshot(own).next(group.peers()::expected));
      }
      return joined;
    } catch (StatusRuntimeException e) {
      joined = false;
      record(new MembershipStep.Await(String.valueOf(e.getStatus().getDescription())));
      return false;
    }
  }

  /** Whether the pod is primary, or a replica whose primary confirms its role. */
  private boolean isSettled(ReplicationState own) {
    var settled =
        own.primary()
            || own.linkUp()
                && group
                    .stateOf(own.primaryAddress())
                    .filter(ReplicationState::primary)
                    .isPresent();
    if (settled) {
      record(new MembershipStep.Stay());
    }
    return settled;
  }

  private void act(MembershipStep step) {
    var isRepeated = step.equals(last);
    record(step);
    switch (step) {
      case MembershipStep.Follow(var primary) -> group.self().follow(primary.address());
      case MembershipStep.Promote() -> {
        if (isRepeated) {
          group.self().promote();
        }
      }
      case MembershipStep.Stay stay -> {}
      case MembershipStep.Await await -> {}
    }
  }

  private void record(MembershipStep step) {
    if (!step.equals(last)) {
      last = step;
      LOG.atInfo().addKeyValue("pod", group.pod()).addKeyValue("step", step).log("membership step");
    }
  }
}
