package io.middleware.engine.worker;

import io.temporal.activity.ActivityExecutionContext;
import io.temporal.activity.ActivityInfo;
import io.temporal.common.interceptors.ActivityInboundCallsInterceptor;
import io.temporal.common.interceptors.ActivityInboundCallsInterceptorBase;
import io.temporal.common.interceptors.WorkerInterceptor;
import io.temporal.common.interceptors.WorkerInterceptorBase;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The time by Temporal's clock, whatever the clock of this machine says. Deadlines of tests and
 * time limits of copies are given by Temporal, and steps of one run are carried out by several
 * workers: they all have to mean the same time.
 *
 * <ol>
 *   <li>The start of each activity tells how far this machine is behind Temporal, less the time
 *       that the task took to arrive. So the largest difference is the best.
 *   <li>It counts for a minute, as somebody may correct the clock.
 *   <li>A difference below a second is none.
 * </ol>
 */
final class TemporalClock extends Clock {
  private static final Logger LOG = LoggerFactory.getLogger(TemporalClock.class);
  private static final Duration LEAST = Duration.ofSeconds(1);
  private static final Duration VALID = Duration.ofMinutes(1);

  private final Clock machine;
  private final LongSupplier nanoTime;
  private volatile Duration behind = Duration.ZERO;
  private Duration best = Duration.ZERO;
  private long bestAt;
  private boolean told;

  TemporalClock() {
    this(systemUTC(), System::nanoTime);
  }

  TemporalClock(Clock machine, LongSupplier nanoTime) {
    this.machine = machine;
    this.nanoTime = nanoTime;
    this.bestAt = nanoTime.getAsLong() - VALID.toNanos();
  }

  /** Tells this clock the time with each activity. */
  WorkerInterceptor observer() {
    return new Observer(this);
  }

  /**
   * Something happens here.
   *
   * @param time when it began, by Temporal's clock
   */
  synchronized void observe(Instant time) {
    var difference = Duration.between(machine.instant(), time);
    var isOver = nanoTime.getAsLong() - bestAt >= VALID.toNanos();
    if (isOver) {
      tell();
    }
    if (isOver || difference.compareTo(best) > 0) {
      best = difference;
      bestAt = nanoTime.getAsLong();
      behind = difference.abs().compareTo(LEAST) < 0 ? Duration.ZERO : difference;
    }
  }

  /** Once, when it was wrong for a whole minute: a single task may have been slow to arrive. */
  private void tell() {
    if (!behind.isZero() && !told) {
      LOG.atWarn()
          .addKeyValue("seconds", behind.abs().toSeconds())
          .log(
              "the clock of this machine is {} Temporal's, which counts; synchronize the clocks",
              behind.isNegative() ? "ahead of" : "behind");
    }
    told = !behind.isZero();
  }

  @Override
  public Instant instant() {
    return machine.instant().plus(behind);
  }

  @Override
  public ZoneId getZone() {
    return machine.getZone();
  }

  @Override
  public Clock withZone(ZoneId zone) {
    throw new UnsupportedOperationException("the engine has no other zone than UTC");
  }

  private static final class Observer extends WorkerInterceptorBase {
    private final TemporalClock clock;

    Observer(TemporalClock clock) {
      this.clock = clock;
    }

    @Override
    public ActivityInboundCallsInterceptor interceptActivity(ActivityInboundCallsInterceptor next) {
      return new ActivityInboundCallsInterceptorBase(next) {
        @Override
        public void init(ActivityExecutionContext context) {
          observe(context.getInfo());
          super.init(context);
        }
      };
    }

    /** The machine itself dates local activities. */
    private void observe(ActivityInfo info) {
      if (!info.isLocal()) {
        clock.observe(Instant.ofEpochMilli(info.getStartedTimestamp()));
      }
    }
  }
}
