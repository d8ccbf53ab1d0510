package io.middleware.engine.watcher.schedule;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.middleware.engine.api.App;
import io.middleware.engine.watcher.cache.LruCache;
import io.middleware.engine.watcher.cache.ServedNamespaces;
import io.middleware.engine.watcher.schedule.ScheduleDecision.Apply;
import io.middleware.engine.watcher.schedule.ScheduleDecision.Delete;
import io.middleware.engine.watcher.schedule.ScheduleDecision.Keep;
import io.middleware.engine.watcher.temporal.TemporalUnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the schedule of each App as its spec says. An App's schedule is compared now and then, as
 * Temporal may have lost it; an App without one costs no call.
 */
public final class BackupScheduler implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(BackupScheduler.class);
  private static final Duration AFTER_FAILURE = Duration.ofSeconds(2);
  private static final int SWEEP_AGAIN_SECONDS = 5;

  private final BackupSchedules schedules;
  private final ServedNamespaces served;
  private final Duration interval;
  private final InstantSource clock;
  private final LruCache<ResourceID, Applied> applied = new LruCache<>();

  /** The Apps that have a schedule, as far as that is known. */
  private final Set<ResourceID> scheduled = ConcurrentHashMap.newKeySet();

  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("schedules").factory());

  private volatile Function<ResourceID, Optional<App>> apps = id -> Optional.empty();

  private record Applied(BackupSchedule schedule, Instant until) {}

  /**
   * @param interval between two comparisons with what Temporal has
   */
  public BackupScheduler(
      BackupSchedules schedules, ServedNamespaces served, Duration interval, InstantSource clock) {
    this.schedules = schedules;
    this.served = served;
    this.interval = interval;
    this.clock = clock;
  }

  /** Looks Apps up there from now on. */
  public void observe(Function<ResourceID, Optional<App>> lookup) {
    this.apps = lookup;
  }

  /**
   * Makes, changes or deletes the App's schedule if needed.
   *
   * @return when to reconcile this App again if nothing happens before
   */
  public Optional<Duration> reconcile(App app) {
    try {
      return switch (ScheduleDecision.of(app)) {
        case Apply(var schedule) -> Optional.of(apply(schedule));
        case Delete() -> {
          deleteIfPresent(ResourceID.fromResource(app));
          yield Optional.empty();
        }
        case Keep() -> Optional.empty();
      };
    } catch (TemporalUnavailableException e) {
      LOG.atDebug().setCause(e).log("a schedule waits for Temporal");
      return Optional.of(AFTER_FAILURE);
    }
  }

  /**
   * Deletes the schedules of Apps that have gone, or do without, while no watcher was there;
   * returns at once. To be called once the informers have read all Apps.
   */
  public void start() {
    timer.execute(this::sweepUntilDone);
  }

  private void sweepUntilDone() {
    try {
      sweep();
    } catch (TemporalUnavailableException e) {
      timer.schedule(this::sweepUntilDone, SWEEP_AGAIN_SECONDS, TimeUnit.SECONDS);
    } catch (RuntimeException e) {
      LOG.atWarn().setCause(e).log("schedules of deleted Apps were not looked for");
    }
  }

  void sweep() {
    for (var app : schedules.apps()) {
      if (!served.includes(app.getNamespace().orElseThrow())) {
        continue;
      }
      scheduled.add(app);
      var keeps = apps.apply(app).filter(it -> !(ScheduleDecision.of(it) instanceof Delete));
      if (keeps.isEmpty()) {
        deleteIfPresent(app);
      }
    }
  }

  private Duration apply(BackupSchedule schedule) {
    var now = clock.instant();
    var earlier = applied.get(schedule.app()).filter(last -> last.schedule().equals(schedule));
    if (earlier.isPresent() && now.isBefore(earlier.get().until())) {
      return Duration.between(now, earlier.get().until());
    }
    scheduled.add(schedule.app());
    if (schedules.apply(schedule)) {
      log(schedule.app(), "schedule of backups written");
    }
    applied.put(schedule.app(), new Applied(schedule, now.plus(interval)));
    return interval;
  }

  private void deleteIfPresent(ResourceID app) {
    if (scheduled.contains(app)) {
      schedules.delete(app);
      scheduled.remove(app);
      applied.remove(app);
      log(app, "schedule of backups deleted");
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }

  private static void log(ResourceID app, String message) {
    LOG.atInfo()
        .addKeyValue("namespace", app.getNamespace().orElse(""))
        .addKeyValue("app", app.getName())
        .log(message);
  }
}
