package io.middleware.engine.agent.redis;

import io.middleware.engine.agent.redis.ReplicationState.Follower;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Decides which replicas are close to their primary: after a moment without writes, a close replica
 * has all of them. A replica is close by bytes, or by time. Time matters on a busy primary, where
 * every replica seems far behind, because replicas report their offset only once a second.
 */
final class ReplicaLag {
  /** Even a slow network or disk transfers this in a second. */
  static final long CLOSE_BYTES = 1 << 20;

  /** One second until the replica reports, and one second of writes. */
  private static final Duration CLOSE_TIME = Duration.ofSeconds(2);

  private final Deque<Sample> samples = new ArrayDeque<>();

  private record Sample(Instant at, long offset) {}

  /** Records the offset of the primary. */
  void record(ReplicationState primary, Instant now) {
    samples.addLast(new Sample(now, primary.offset()));
    while (samples.size() > 1 && !second().at().isAfter(now.minus(CLOSE_TIME))) {
      samples.removeFirst();
    }
  }

  /**
   * @param replica as the primary reported it in the last record
   */
  boolean isClose(Follower replica) {
    var last = samples.getLast();
    var oldest = samples.getFirst();
    var reachedOldest =
        !oldest.at().isAfter(last.at().minus(CLOSE_TIME)) && replica.offset() >= oldest.offset();
    return replica.online()
        && replica.lagSeconds() <= CLOSE_TIME.toSeconds()
        && (replica.offset() >= last.offset() - CLOSE_BYTES || reachedOldest);
  }

  private Sample second() {
    return samples.stream().skip(1).findFirst().orElseThrow();
  }
}
