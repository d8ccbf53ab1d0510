package io.middleware.engine.activities.kubernetes;

import io.middleware.engine.api.task.FaultKind;
import io.temporal.activity.Activity;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Waits for the cluster: looks, then sleeps until something of the App changes. Between events it
 * wakes only to heartbeat what it waits for, which is also how a cancel reaches it.
 */
public final class ClusterWaiter {
  /** Also without an event, as what is missing may depend on the time. */
  private static final Duration LOOK = Duration.ofMillis(400);

  /**
   * How soon a cancel is noticed that came with the answer to an earlier heartbeat. Most beats
   * never leave the process: the worker sends one every 250 ms.
   */
  private static final Duration BEAT = Duration.ofMillis(100);

  private static final Duration FOR_EVER = Duration.ofDays(10_000);

  private final ClusterView view;
  private final Consumer<String> heartbeat;

  /** For use in activities. */
  public ClusterWaiter(ClusterView view) {
    this(view, words -> Activity.getExecutionContext().heartbeat(words));
  }

  /**
   * @param heartbeat told what is waited for, at least every 100 ms; may throw to end the wait
   */
  public ClusterWaiter(ClusterView view, Consumer<String> heartbeat) {
    this.view = view;
    this.heartbeat = heartbeat;
  }

  /**
   * Says what is waited for elsewhere.
   *
   * @throws io.temporal.client.ActivityCompletionException when the activity is cancelled
   */
  public void tell(String words) {
    heartbeat.accept(words);
  }

  /**
   * Returns when nothing is missing any more.
   *
   * @param missing looks, and says what is missing still
   * @throws io.temporal.client.ActivityCompletionException when the activity is cancelled
   */
  public void until(AppKey key, Supplier<Optional<String>> missing) {
    until(key, FOR_EVER, missing);
  }

  /**
   * The same with an end to patience.
   *
   * @return what was missing at the end; empty when nothing was
   */
  public Optional<String> until(AppKey key, Duration atMost, Supplier<Optional<String>> missing) {
    var end = System.nanoTime() + atMost.toNanos();
    try (var bell = view.listen(key)) {
      while (true) {
        var words = missing.get();
        if (words.isEmpty() || end - System.nanoTime() <= 0) {
          return words;
        }
        rest(bell, words.get(), Math.min(LOOK.toNanos(), end - System.nanoTime()));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Faults.of(FaultKind.UNAVAILABLE, "interrupted while waiting for App " + key);
    }
  }

  /** Until it rings, at most this time. */
  private void rest(Wakeup bell, String words, long nanos) throws InterruptedException {
    var end = System.nanoTime() + nanos;
    long left;
    do {
      heartbeat.accept(words);
      left = end - System.nanoTime();
    } while (left > 0 && !bell.await(Duration.ofNanos(Math.min(left, BEAT.toNanos()))));
  }
}
