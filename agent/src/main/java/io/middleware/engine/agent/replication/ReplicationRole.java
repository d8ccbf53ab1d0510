package io.middleware.engine.agent.replication;

import java.util.Locale;

/** The part a pod plays in its group. */
public enum ReplicationRole {
  PRIMARY,
  REPLICA;

  /** The word on the wire. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
