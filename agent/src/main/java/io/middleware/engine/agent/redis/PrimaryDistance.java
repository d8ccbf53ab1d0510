package io.middleware.engine.agent.redis;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;

/** How many bytes of its group's history a Redis is behind its primary. */
record PrimaryDistance(RedisGroup group) {

  /**
   * The distance; 0 for a primary. The primary is asked first, so that what it writes between the
   * two answers does not count.
   *
   * @throws StatusRuntimeException FAILED_PRECONDITION when this Redis is not connected to its
   *     primary; UNAVAILABLE when one of them does not answer
   */
  long bytes() {
    var before = group.own();
    if (before.primary()) {
      return 0;
    }
    requireLink(before);
    var address = before.primaryAddress();
    var primary =
        group
            .stateOf(address)
            .orElseThrow(
                () ->
                    Status.UNAVAILABLE
                        .withDescription("its primary %s does not answer".formatted(address))
                        .asRuntimeException());
    var own = group.own();
    requireLink(own);
    return Math.max(0, primary.offset() - own.offset());
  }

  private void requireLink(ReplicationState own) {
    var why =
        switch (own.link()) {
          case UP -> "";
          case COPYING -> "it is still copying all data of its primary " + own.primaryAddress();
          case DOWN -> "the link to its primary %s is down".formatted(own.primaryAddress());
        };
    if (!why.isEmpty()) {
      throw Status.FAILED_PRECONDITION
          .withDescription("Redis of %s: %s".formatted(group.pod(), why))
          .asRuntimeException();
    }
  }
}
