package io.middleware.engine.cluster;

import io.middleware.engine.api.App;
import io.middleware.engine.api.AppStatus;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.workflows.port.HeartbeatContract;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Waits until the cluster reaches a state: checks, then sleeps until an object of the App changes.
 * Between events it wakes only to send heartbeats ({@link HeartbeatContract}), which report what it
 * waits for.
 */
public final class ClusterWaiter {
  /** The longest time between two checks without an event: some conditions depend on the time. */
  private static final Duration RECHECK = Duration.ofMillis(400);

  private static final Pace BRISK = new Pace(RECHECK, HeartbeatContract.INTERVAL);

  /** Thousands of steps may rest at the same time: each wakes for a reason. */
  private static final Pace RESTING =
      new Pace(HeartbeatContract.RESTING_INTERVAL, HeartbeatContract.RESTING_INTERVAL);

  private static final Duration FOR_EVER = Duration.ofDays(10_000);

  private final ClusterView view;
  private final Heartbeat heartbeat;
  private final Pace pace;

  /**
   * How often a wait wakes without an event.
   *
   * @param recheck the longest time between two checks
   * @param beat the longest time between two heartbeats
   */
  private record Pace(Duration recheck, Duration beat) {}

  /** For use in activities. */
  public ClusterWaiter(ClusterView view) {
    this(view, new ActivityHeartbeat());
  }

  /**
   * @param heartbeat receives what is waited for, at least once per {@link
   *     HeartbeatContract#INTERVAL}; may throw to end the wait
   */
  public ClusterWaiter(ClusterView view, Heartbeat heartbeat) {
    this(view, heartbeat, BRISK);
  }

  private ClusterWaiter(ClusterView view, Heartbeat heartbeat, Pace pace) {
    this.view = view;
    this.heartbeat = heartbeat;
    this.pace = pace;
  }

  /**
   * The same for a step that takes long, needs few heartbeats, and waits for events or for the end
   * of its time.
   */
  public ClusterWaiter resting() {
    return new ClusterWaiter(view, new RestingHeartbeat(heartbeat), RESTING);
  }

  /** For work outside of {@link #until}. */
  public Heartbeat heartbeat() {
    return heartbeat;
  }

  /** For the end of a step that is cancelled: the cancel does not end these waits. */
  public ClusterWaiter afterCancel() {
    return new ClusterWaiter(view, new LastHeartbeat(heartbeat), pace);
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
      var known = change(key);
      while (true) {
        var message = missing.get();
        var remaining = end - System.nanoTime();
        if (message.isEmpty() || remaining <= 0) {
          return message;
        }
        sleep(wakeup, message.get(), Math.min(pace.recheck().toNanos(), remaining));
        var now = change(key);
        if (!now.equals(known)) {
          heartbeat.ask();
          known = now;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Faults.of(FaultKind.UNAVAILABLE, "interrupted while waiting for App " + key);
    }
  }

  /** Sleeps until the wakeup is triggered, at most this time. */
  private void sleep(Wakeup wakeup, String message, long nanos) throws InterruptedException {
    var end = System.nanoTime() + nanos;
    var interval = pace.beat().toNanos();
    long remaining;
    do {
      heartbeat.send(message);
      remaining = end - System.nanoTime();
    } while (remaining > 0 && !wakeup.await(Duration.ofNanos(Math.min(remaining, interval))));
  }

  /**
   * What the App's status says of the change and the Operation: a request that was accepted, but
   * not how far a step has come.
   */
  private List<Object> change(AppKey key) {
    var status = view.app(key).map(App::getStatus);
    return Stream.of(
            status.map(AppStatus::change).map(change -> change.withProgress(null)),
            status.map(AppStatus::operation).map(operation -> operation.withProgress(null)))
        .<Object>flatMap(Optional::stream)
        .toList();
  }
}
