package io.middleware.engine.agent.replication;

import java.util.Optional;

/**
 * What the middleware in one pod says of its replication group. Answers are as of the call; both
 * may be asked at any time from any thread. A driver that asks a real server reports one that does
 * not answer by a {@code StatusRuntimeException} of UNAVAILABLE, never by a guess.
 */
public interface ReplicationQueries {
  /** The part of this pod. */
  ReplicationRole role();

  /** What the middleware calls it; the primary is {@code primary} whatever it is called there. */
  default String roleWord() {
    return role().word();
  }

  /** Name of the group's primary pod, if there is one. */
  Optional<String> primary();
}
