package io.middleware.engine.workflows.port;

import java.time.Duration;

/**
 * How a running activity proves that its worker is alive. From the fastest to the slowest:
 *
 * <ol>
 *   <li>An activity that waits sends a heartbeat to the SDK every {@link #INTERVAL}. Most of them
 *       never leave the process; each shows the activity a cancel that has arrived meanwhile.
 *   <li>The SDK sends at most one heartbeat per {@link #THROTTLE} to the server. The answer brings
 *       the cancel.
 *   <li>While an activity is blocked in a call, the worker repeats its last heartbeat {@link
 *       #REPEATS_PER_TIMEOUT} times per timeout.
 *   <li>An activity without a heartbeat for {@link #TIMEOUT} is given to another worker.
 * </ol>
 */
public final class HeartbeatContract {
  public static final Duration INTERVAL = Duration.ofMillis(100);

  /** The SDK's own throttle would be 80 % of the timeout: too late for a cancel. */
  public static final Duration THROTTLE = Duration.ofMillis(250);

  public static final int REPEATS_PER_TIMEOUT = 3;

  public static final Duration TIMEOUT = Duration.ofSeconds(3);

  private HeartbeatContract() {}
}
