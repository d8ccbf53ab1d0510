package io.middleware.engine.worker;

import io.middleware.engine.workflows.port.HeartbeatContract;
import io.temporal.activity.ActivityExecutionContext;
import io.temporal.client.ActivityCompletionException;
import io.temporal.client.ActivityNotExistsException;
import io.temporal.common.interceptors.ActivityExecutionContextBase;
import io.temporal.common.interceptors.ActivityInboundCallsInterceptor;
import io.temporal.common.interceptors.ActivityInboundCallsInterceptorBase;
import io.temporal.common.interceptors.WorkerInterceptorBase;
import java.time.Duration;
import java.time.InstantSource;

/**
 * Repeats an activity's last heartbeat while the activity runs ({@link HeartbeatContract}). A call
 * to a slow server may take longer than the heartbeat timeout. Without the repetition, Temporal
 * would consider the worker dead and start a second attempt, and both would act. The repetition
 * also continues after a cancel until the activity has ended, because the next step must not begin
 * before that.
 *
 * <p>If a cancel arrives with such a heartbeat, Temporal's SDK keeps it and throws it at the
 * activity's own next heartbeat.
 *
 * <p>An activity that nobody waits for any more is interrupted, so that it does not write over what
 * others do: one whose workflow was terminated, or that was given to another worker, as the answer
 * to such a heartbeat says; and one on a worker that was suspended for longer than the timeout, for
 * example with its machine.
 */
final class KeepAlive extends WorkerInterceptorBase {
  private final InstantSource clock;

  KeepAlive() {
    this(InstantSource.system());
  }

  KeepAlive(InstantSource clock) {
    this.clock = clock;
  }

  @Override
  public ActivityInboundCallsInterceptor interceptActivity(ActivityInboundCallsInterceptor next) {
    return new RepeatingInterceptor(next, clock);
  }

  private static final class RepeatingInterceptor extends ActivityInboundCallsInterceptorBase {
    private final InstantSource clock;
    private RememberingContext context;

    RepeatingInterceptor(ActivityInboundCallsInterceptor next, InstantSource clock) {
      super(next);
      this.clock = clock;
    }

    @Override
    public void init(ActivityExecutionContext original) {
      context = new RememberingContext(original);
      super.init(context);
    }

    @Override
    public ActivityOutput execute(ActivityInput input) {
      var timeout = context.getInfo().getHeartbeatTimeout();
      if (timeout == null || timeout.isZero()) {
        return super.execute(input);
      }
      var activity = Thread.currentThread();
      var repeating = Thread.startVirtualThread(() -> repeat(timeout, activity));
      try {
        return super.execute(input);
      } finally {
        repeating.interrupt();
      }
    }

    private void repeat(Duration timeout, Thread activity) {
      try {
        while (true) {
          var before = clock.instant();
          Thread.sleep(timeout.dividedBy(HeartbeatContract.REPEATS_PER_TIMEOUT));
          if (clock.instant().isAfter(before.plus(timeout))) {
            activity.interrupt();
          }
          if (!context.repeatHeartbeat()) {
            activity.interrupt();
          }
        }
      } catch (InterruptedException e) {
        // the activity has ended
      }
    }
  }

  /** Remembers the details of the last heartbeat. */
  private static final class RememberingContext extends ActivityExecutionContextBase {
    private volatile Object last = "running";

    RememberingContext(ActivityExecutionContext context) {
      super(context);
    }

    @Override
    public <V> void heartbeat(V details) throws ActivityCompletionException {
      last = details;
      super.heartbeat(details);
    }

    /**
     * @return whether somebody still waits for the activity, as far as the server has answered
     */
    boolean repeatHeartbeat() {
      try {
        super.heartbeat(last);
        return true;
      } catch (ActivityNotExistsException e) {
        return false;
      } catch (ActivityCompletionException e) {
        return true; // the SDK throws it again at the activity's own next heartbeat
      }
    }
  }
}
