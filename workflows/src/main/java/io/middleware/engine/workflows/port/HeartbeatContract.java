package io.middleware.engine.workflows.port;

import java.time.Duration;

/**
 * How a running activity proves that its worker is alive, and hears of its cancel.
 *
 * <ol>
 *   <li>An activity that waits sends a heartbeat to the SDK every {@link #INTERVAL}. Most of them
 *       never leave the process; each shows the activity a cancel that has arrived meanwhile.
 *   <li>The SDK sends at most one heartbeat per {@link #THROTTLE} to the server. The answer brings
 *       the cancel.
 *   <li>When the App's status shows that something has happened to the change, such as a cancel,
 *       the activity asks the server at once.
 *   <li>While an activity is blocked in a call, the worker repeats its last heartbeat {@link
 *       #REPEATS_PER_TIMEOUT} times per timeout.
 *   <li>An activity without a heartbeat for {@link #TIMEOUT} is given to another worker.
 *   <li>One that waits for the end of a pause sends a heartbeat every {@link #RESTING_INTERVAL},
 *       and is given to another worker after {@link #RESTING_TIMEOUT}.
 * </ol>
 */
public final class HeartbeatContract {
  public static final Duration INTERVAL = Duration.ofMillis(100);

  /**
   * The SDK's own throttle would be 80 % of the timeout: too late for a cancel, which the status
   * may show a second late. Each heartbeat is a write to Temporal's database.
   */
  public static final Duration THROTTLE = Duration.ofMillis(250);

  public static final int REPEATS_PER_TIMEOUT = 3;

  /**
   * The SDK sends the heartbeats of a thousand activities with four threads: one round takes three
   * seconds when the server needs 12 ms for each.
   */
  public static final Duration TIMEOUT = Duration.ofSeconds(4);

  /** A pause may last for months; a cancel that the App's status does not show waits this long. */
  public static final Duration RESTING_INTERVAL = Duration.ofSeconds(10);

  /** How late a resumed change goes on at most when its worker has died just before. */
  public static final Duration RESTING_TIMEOUT = Duration.ofSeconds(60);

  private HeartbeatContract() {}
}
