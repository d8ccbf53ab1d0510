package io.middleware.engine.cluster;

import io.temporal.client.ActivityCanceledException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Of one step that is cancelled, and has something to bring to its end: the cancel is known. */
final class LastHeartbeat implements Heartbeat {
  private static final Logger LOG = LoggerFactory.getLogger(LastHeartbeat.class);

  private final Heartbeat heartbeat;

  LastHeartbeat(Heartbeat heartbeat) {
    this.heartbeat = heartbeat;
  }

  @Override
  public void send(String message) {
    try {
      heartbeat.send(message);
    } catch (ActivityCanceledException e) {
      LOG.trace("the cancel is known", e);
    }
  }
}
