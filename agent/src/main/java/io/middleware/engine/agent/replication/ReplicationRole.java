package io.middleware.engine.agent.replication;

import java.util.Locale;

/** The role of a pod in its replication group. */
public enum ReplicationRole {
  PRIMARY,
  REPLICA;

  /** The name of the role in the protocol. */
  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }
}
