package io.middleware.engine.agent.replication;

import io.middleware.engine.agent.order.NumberedName;
import java.time.Instant;
import java.util.Comparator;

/**
 * A pod of a replication group, as far as an election goes.
 *
 * @param promoted whether somebody wants it to be primary
 */
public record GroupMember(String uid, String pod, Instant created, Health health, boolean promoted) {
  static final Comparator<GroupMember> BY_NUMBER = Comparator.comparing(m -> NumberedName.of(m.pod()));
  static final Comparator<GroupMember> BY_AGE =
      Comparator.comparing(GroupMember::created).thenComparing(BY_NUMBER);

  public enum Health {
    /** Not up yet, nothing known against it. */
    STARTING,
    READY,
    /** Was up, or cannot come up. */
    UNREADY,
    TERMINATING
  }

  /** The same, wanted by nobody. */
  public GroupMember notPromoted() {
    return new GroupMember(uid, pod, created, health, false);
  }

  boolean ready() {
    return health == Health.READY;
  }

  boolean eligible() {
    return health == Health.READY || health == Health.STARTING;
  }
}
