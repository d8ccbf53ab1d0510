package io.middleware.engine.agent.replication;

import io.middleware.engine.agent.order.NumberedName;
import java.time.Instant;
import java.util.Comparator;

/**
 * A pod of a replication group, with what an election needs.
 *
 * @param promoted whether a person or test requests that it becomes primary
 */
public record GroupMember(
    String uid, String pod, Instant created, Health health, boolean promoted) {
  static final Comparator<GroupMember> BY_NUMBER =
      Comparator.comparing(m -> NumberedName.of(m.pod()));
  static final Comparator<GroupMember> BY_AGE =
      Comparator.comparing(GroupMember::created).thenComparing(BY_NUMBER);

  public enum Health {
    /** Not up yet, without a known problem. */
    STARTING,
    READY,
    /** Failed after its start, or cannot start. */
    UNREADY,
    TERMINATING
  }

  /** The same member without the promotion. */
  public GroupMember notPromoted() {
    return new GroupMember(uid, pod, created, health, false);
  }

  boolean isReady() {
    return health == Health.READY;
  }

  boolean isEligible() {
    return health == Health.READY || health == Health.STARTING;
  }
}
