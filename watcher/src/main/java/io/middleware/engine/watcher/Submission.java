package io.middleware.engine.watcher;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.middleware.engine.api.App;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Submits changes and requests to Temporal beside the reconciliations, which mirror health: a
 * Temporal that never answers does not hold them up. An App is submitted by one thread at a time,
 * in its newest state.
 */
final class Submission implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Submission.class);

  /** Of one Temporal; each waits for an answer most of the time. */
  private static final int AT_ONCE = 256;

  private static final Duration AFTER_FAILURE = Duration.ofSeconds(5);

  private final Map<ResourceID, Lane> lanes = new ConcurrentHashMap<>();
  private final Map<ResourceID, Future<?>> timers = new ConcurrentHashMap<>();
  private final ExecutorService threads = IdleThreads.upTo(AT_ONCE, "submission-");
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("submission-timer").factory());
  private final Function<App, Optional<Duration>> work;
  private final Consumer<ResourceID> reconcile;

  /**
   * @param taken whether a thread works on this state
   */
  private record Lane(App newest, boolean taken) {}

  /**
   * @param work may block; returns when the App is to be reconciled again if nothing happens before
   * @param reconcile requests another reconciliation
   */
  Submission(Function<App, Optional<Duration>> work, Consumer<ResourceID> reconcile) {
    this.work = work;
    this.reconcile = reconcile;
  }

  /** Takes the App's newest state; returns at once. */
  void take(App app) {
    lanes.compute(
        ResourceID.fromResource(app),
        (id, lane) -> {
          if (lane == null) {
            threads.execute(() -> carryOut(id));
          }
          return new Lane(app, false);
        });
  }

  /** The App is gone. */
  void forget(ResourceID id) {
    var timerOfApp = timers.remove(id);
    if (timerOfApp != null) {
      timerOfApp.cancel(false);
    }
  }

  private void carryOut(ResourceID id) {
    Lane left;
    do {
      var lane = lanes.computeIfPresent(id, (key, now) -> new Lane(now.newest(), true));
      carryOut(id, lane.newest());
      left = lanes.computeIfPresent(id, (key, now) -> now.taken() ? null : now);
    } while (left != null);
  }

  private void carryOut(ResourceID id, App app) {
    try {
      work.apply(app).ifPresentOrElse(pause -> reconcileAfter(id, pause), () -> forget(id));
    } catch (RuntimeException e) {
      LOG.atWarn()
          .setCause(e)
          .addKeyValue("app", id)
          .log("a change or request was not submitted; retrying");
      reconcileAfter(id, AFTER_FAILURE);
    }
  }

  private void reconcileAfter(ResourceID id, Duration pause) {
    try {
      var next =
          timer.schedule(() -> reconcile.accept(id), pause.toMillis(), TimeUnit.MILLISECONDS);
      var earlier = timers.put(id, next);
      if (earlier != null) {
        earlier.cancel(false);
      }
    } catch (RejectedExecutionException e) {
      LOG.atDebug().setCause(e).log("the process stops");
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
    threads.shutdownNow();
  }
}
