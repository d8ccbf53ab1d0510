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
public final class Waiting {
  private static final Duration BEAT = Duration.ofMillis(400);

  private final ClusterView view;
  private final Consumer<String> heartbeat;

  /** For use in activities. */
  public Waiting(ClusterView view) {
    this(view, words -> Activity.getExecutionContext().heartbeat(words));
  }

  /**
   * @param heartbeat told what is waited for, at least every 400 ms; may throw to end the wait
   */
  public Waiting(ClusterView view, Consumer<String> heartbeat) {
    this.view = view;
    this.heartbeat = heartbeat;
  }

  /**
   * Returns when nothing is missing any more.
   *
   * @param missing looks, and says what is missing still
   * @throws io.temporal.client.ActivityCompletionException when the activity is cancelled
   */
  public void until(AppKey key, Supplier<Optional<String>> missing) {
    until(key, Duration.ofNanos(Long.MAX_VALUE), missing);
  }

  /**
   * The same with an end to patience.
   *
   * @return what was missing at the end; empty when nothing was
   */
  public Optional<String> until(AppKey key, Duration atMost, Supplier<Optional<String>> missing) {
    var began = System.nanoTime();
    var nextBeat = began;
    try (var bell = view.listen(key)) {
      while (true) {
        var words = missing.get();
        var now = System.nanoTime();
        var left = atMost.toNanos() - (now - began);
        if (words.isEmpty() || left <= 0) {
          return words;
        }
        if (now - nextBeat >= 0) {
          heartbeat.accept(words.get());
          nextBeat = now + BEAT.toNanos();
        }
        bell.await(Duration.ofNanos(Math.min(left, nextBeat - now)));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Faults.of(FaultKind.UNAVAILABLE, "interrupted while waiting for App " + key);
    }
  }
}
