package io.middleware.engine.worker;

import io.temporal.activity.ActivityExecutionContext;
import io.temporal.client.ActivityCompletionException;
import io.temporal.common.interceptors.ActivityExecutionContextBase;
import io.temporal.common.interceptors.ActivityInboundCallsInterceptor;
import io.temporal.common.interceptors.ActivityInboundCallsInterceptorBase;
import io.temporal.common.interceptors.WorkerInterceptorBase;
import java.time.Duration;
import java.time.InstantSource;

/**
 * Repeats the last heartbeat of a step as long as the step runs. A call to a slow server may last
 * longer than the heartbeat timeout; without this, Temporal would take the worker for dead and
 * start a second attempt beside the first, and both would act. After a cancel, too, it goes on
 * until the step has ended, as what follows must not begin beside it.
 *
 * <p>A cancel that comes with such a heartbeat is kept by Temporal's SDK and thrown at the step's
 * own next heartbeat.
 *
 * <p>A worker that stood still for longer than the timeout, as in a pause of its machine, has lost
 * its steps to another: they are interrupted, lest they write over what that one has done.
 */
final class KeepAlive extends WorkerInterceptorBase {
  private static final int BEATS_PER_TIMEOUT = 3;

  private final InstantSource clock;

  KeepAlive() {
    this(InstantSource.system());
  }

  KeepAlive(InstantSource clock) {
    this.clock = clock;
  }

  @Override
  public ActivityInboundCallsInterceptor interceptActivity(ActivityInboundCallsInterceptor next) {
    return new Inbound(next, clock);
  }

  private static final class Inbound extends ActivityInboundCallsInterceptorBase {
    private final InstantSource clock;
    private Heart heart;

    Inbound(ActivityInboundCallsInterceptor next, InstantSource clock) {
      super(next);
      this.clock = clock;
    }

    @Override
    public void init(ActivityExecutionContext context) {
      heart = new Heart(context);
      super.init(heart);
    }

    @Override
    public ActivityOutput execute(ActivityInput input) {
      var timeout = heart.getInfo().getHeartbeatTimeout();
      if (timeout == null || timeout.isZero()) {
        return super.execute(input);
      }
      var step = Thread.currentThread();
      var beating = Thread.startVirtualThread(() -> beat(timeout, step));
      try {
        return super.execute(input);
      } finally {
        beating.interrupt();
      }
    }

    private void beat(Duration timeout, Thread step) {
      try {
        while (true) {
          var before = clock.instant();
          Thread.sleep(timeout.dividedBy(BEATS_PER_TIMEOUT));
          if (clock.instant().isAfter(before.plus(timeout))) {
            step.interrupt();
          }
          heart.repeat();
        }
      } catch (InterruptedException e) {
        // the step has ended
      }
    }
  }

  /** Remembers what was said last. */
  private static final class Heart extends ActivityExecutionContextBase {
    private volatile Object last = "at work";

    Heart(ActivityExecutionContext context) {
      super(context);
    }

    @Override
    public <V> void heartbeat(V details) throws ActivityCompletionException {
      last = details;
      super.heartbeat(details);
    }

    void repeat() {
      try {
        super.heartbeat(last);
      } catch (ActivityCompletionException e) {
        // the step's own next heartbeat will tell it
      }
    }
  }
}
