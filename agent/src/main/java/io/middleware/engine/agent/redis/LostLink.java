package io.middleware.engine.agent.redis;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How long a replica has not been connected to its primary, which answers. Without a primary no
 * replica is connected, and none is worse than another.
 */
final class LostLink {
  private static final Logger LOG = LoggerFactory.getLogger(LostLink.class);

  /** A replica that only reconnects needs seconds. */
  static final Duration PATIENCE = Duration.ofSeconds(60);

  private final String pod;
  private final InstantSource clock;
  private Optional<Instant> since = Optional.empty();
  private boolean isReported;

  LostLink(String pod, InstantSource clock) {
    this.pod = pod;
    this.clock = clock;
  }

  void none() {
    since = Optional.empty();
    isReported = false;
  }

  void seen(ReplicationState own, RedisPeer primary) {
    since = since.or(() -> Optional.of(clock.instant()));
    if (isTooLong() && !isReported) {
      isReported = true;
      LOG.atWarn()
          .addKeyValue("pod", pod)
          .addKeyValue("primary", primary.pod())
          .addKeyValue("link", own.link())
          .log(
              "not ready: Redis of this pod has not been connected to its primary for 60 s,"
                  + " so its data are old: see the log of Redis for the reason");
    }
  }

  boolean isTooLong() {
    return since.filter(at -> !clock.instant().isBefore(at.plus(PATIENCE))).isPresent();
  }
}
