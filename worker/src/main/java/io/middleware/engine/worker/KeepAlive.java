package io.middleware.engine.worker;

import io.temporal.activity.ActivityExecutionContext;
import io.temporal.client.ActivityCompletionException;
import io.temporal.common.interceptors.ActivityExecutionContextBase;
import io.temporal.common.interceptors.ActivityInboundCallsInterceptor;
import io.temporal.common.interceptors.ActivityInboundCallsInterceptorBase;
import io.temporal.common.interceptors.WorkerInterceptorBase;
import java.time.Duration;

/**
 * Repeats the last heartbeat of a step as long as the step runs. A call to a slow server may last
 * longer than the heartbeat timeout; without this, Temporal would take the worker for dead and
 * start a second attempt beside the first, and both would act.
 *
 * <p>A cancel that comes with such a heartbeat is kept by Temporal's SDK and thrown at the step's
 * own next heartbeat.
 */
final class KeepAlive extends WorkerInterceptorBase {
  private static final int BEATS_PER_TIMEOUT = 3;

  @Override
  public ActivityInboundCallsInterceptor interceptActivity(ActivityInboundCallsInterceptor next) {
    return new Inbound(next);
  }

  private static final class Inbound extends ActivityInboundCallsInterceptorBase {
    private Heart heart;

    Inbound(ActivityInboundCallsInterceptor next) {
      super(next);
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
      var beating = Thread.startVirtualThread(() -> heart.beat(timeout));
      try {
        return super.execute(input);
      } finally {
        beating.interrupt();
      }
    }
  }

  /** Remembers what was said last. */
  private static final class Heart extends ActivityExecutionContextBase {
    private volatile Object last;

    Heart(ActivityExecutionContext context) {
      super(context);
    }

    @Override
    public <V> void heartbeat(V details) throws ActivityCompletionException {
      last = details;
      super.heartbeat(details);
    }

    void beat(Duration timeout) {
      try {
        while (true) {
          Thread.sleep(timeout.dividedBy(BEATS_PER_TIMEOUT));
          super.heartbeat(last);
        }
      } catch (InterruptedException | ActivityCompletionException e) {
        // the step has ended, or its own next heartbeat will tell it to
      }
    }
  }
}
