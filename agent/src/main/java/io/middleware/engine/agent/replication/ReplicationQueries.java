package io.middleware.engine.agent.replication;

import java.util.Optional;

/**
 * What the middleware process in one pod reports about its replication group at the moment of the
 * call. Any thread may call these methods at any time. When a server does not answer, a driver
 * throws a {@code StatusRuntimeException} with UNAVAILABLE instead of guessing.
 */
public interface ReplicationQueries {
  /** The role of this pod. */
  ReplicationRole role();

  /** The middleware's name for the role; a primary is always {@code primary}. */
  default String roleName() {
    return role().wireName();
  }

  /** The role, and its term where the middleware has one. */
  default RoleClaim claim() {
    return new RoleClaim(roleName(), 0);
  }

  /** Changes with the role at the latest, and costs so little that it is read all the time. */
  default String roleSign() {
    return roleName();
  }

  /**
   * What keeps this pod from doing what its role promises, for people; empty when nothing is known.
   */
  default Optional<String> trouble() {
    return Optional.empty();
  }

  /** The name of the group's primary pod; empty without a primary. */
  Optional<String> primary();
}
