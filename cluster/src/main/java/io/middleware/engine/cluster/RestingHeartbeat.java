package io.middleware.engine.cluster;

import io.middleware.engine.workflows.port.HeartbeatContract;

/** Of one step that waits for a user: only one heartbeat each resting interval is sent. */
final class RestingHeartbeat implements Heartbeat {
  private final Heartbeat heartbeat;
  private long next = System.nanoTime();

  RestingHeartbeat(Heartbeat heartbeat) {
    this.heartbeat = heartbeat;
  }

  @Override
  public void send(String message) {
    if (System.nanoTime() - next >= 0) {
      next = System.nanoTime() + HeartbeatContract.RESTING_INTERVAL.toNanos();
      heartbeat.send(message);
    }
  }

  @Override
  public void ask() {
    heartbeat.ask();
  }
}
