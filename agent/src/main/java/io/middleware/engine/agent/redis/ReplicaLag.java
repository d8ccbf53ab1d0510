package io.middleware.engine.agent.redis;

import io.middleware.engine.agent.redis.ReplicationState.Follower;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Which replicas are so near to their primary that they need but a moment without writes to have
 * all of them. By bytes, which counts where little is written; or by time, as a replica tells how
 * far it is once a second only, so that of a busy primary it seems far behind however near it is.
 */
final class ReplicaLag {
  /** A second's work even of a slow link or disk. */
  static final long BYTES = 1 << 20;

  /** A second for the replica to tell, and one of the primary's writes. */
  private static final Duration TIME = Duration.ofSeconds(2);

  private final Deque<Sample> samples = new ArrayDeque<>();

  private record Sample(Instant at, long offset) {}

  /** Looks at a primary; later looks say how far it was when. */
  void look(ReplicationState primary, Instant now) {
    samples.addLast(new Sample(now, primary.offset()));
    while (samples.size() > 1 && !second().at().isAfter(now.minus(TIME))) {
      samples.removeFirst();
    }
  }

  /**
   * @param one as the primary of the last look sees it
   */
  boolean isNear(Follower one) {
    var last = samples.getLast();
    var oldest = samples.getFirst();
    var hadByThen = !oldest.at().isAfter(last.at().minus(TIME)) && one.offset() >= oldest.offset();
    return one.online()
        && one.lagSeconds() <= TIME.toSeconds()
        && (one.offset() >= last.offset() - BYTES || hadByThen);
  }

  private Sample second() {
    return samples.stream().skip(1).findFirst().orElseThrow();
  }
}
