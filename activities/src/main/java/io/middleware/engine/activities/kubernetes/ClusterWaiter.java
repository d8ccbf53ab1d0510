package io.middleware.engine.activities.kubernetes;

import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.workflows.port.HeartbeatContract;
import io.temporal.activity.Activity;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Waits until the cluster reaches a state: checks, then sleeps until an object of the App changes.
 * Between events it wakes only to send heartbeats ({@link HeartbeatContract}), which report what it
 * waits for and through which a cancel arrives.
 */
public final class ClusterWaiter {
  /** The longest time between two checks without an event: some conditions depend on the time. */
  private static final Duration RECHECK = Duration.ofMillis(400);

  private static final Duration FOR_EVER = Duration.ofDays(10_000);

  private final ClusterView view;
  private final Consumer<String> heartbeat;

  /** For use in activities. */
  public ClusterWaiter(ClusterView view) {
    this(view, message -> Activity.getExecutionContext().heartbeat(message));
  }

  /**
   * @param heartbeat receives what is waited for, at least once per {@link
   *     HeartbeatContract#INTERVAL}; may throw to end the wait
   */
  public ClusterWaiter(ClusterView view, Consumer<String> heartbeat) {
    this.view = view;
    this.heartbeat = heartbeat;
  }

  /**
   * Sends one heartbeat for work outside of {@link #until}.
   *
   * @throws io.temporal.client.ActivityCompletionException when the activity is cancelled
   */
  public void heartbeat(String message) {
    heartbeat.accept(message);
  }

  /**
   * Returns when nothing is missing any more.
   *
   * @param missing checks the cluster and says what is still missing
   * @throws io.temporal.client.ActivityCompletionException when the activity is cancelled
   */
  public void until(AppKey key, Supplier<Optional<String>> missing) {
    until(key, FOR_EVER, missing);
  }

  /**
   * The same with a time limit.
   *
   * @return what was still missing when the time was over; empty when nothing was
   */
  public Optional<String> until(AppKey key, Duration atMost, Supplier<Optional<String>> missing) {
    var end = System.nanoTime() + atMost.toNanos();
    try (var wakeup = view.listen(key)) {
      while (true) {
        var message = missing.get();
        if (message.isEmpty() || end - System.nanoTime() <= 0) {
          return message;
        }
        sleep(wakeup, message.get(), Math.min(RECHECK.toNanos(), end - System.nanoTime()));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Faults.of(FaultKind.UNAVAILABLE, "interrupted while waiting for App " + key);
    }
  }

  /** Sleeps until the wakeup is triggered, at most this time. */
  private void sleep(Wakeup wakeup, String message, long nanos) throws InterruptedException {
    var end = System.nanoTime() + nanos;
    var interval = HeartbeatContract.INTERVAL.toNanos();
    long remaining;
    do {
      heartbeat.accept(message);
      remaining = end - System.nanoTime();
    } while (remaining > 0 && !wakeup.await(Duration.ofNanos(Math.min(remaining, interval))));
  }
}
