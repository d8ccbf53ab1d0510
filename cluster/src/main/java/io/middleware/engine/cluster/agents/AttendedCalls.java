package io.middleware.engine.cluster.agents;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.workflows.port.HeartbeatContract;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;

/** Calls that block for long, made in a thread of their own so that a cancel reaches them. */
public final class AttendedCalls {
  private AttendedCalls() {}

  /**
   * Returns the result of the call.
   *
   * @param call interrupted when it is no longer waited for
   * @param beat called once per {@link HeartbeatContract#INTERVAL}; may throw to end the call
   */
  public static <T> T await(Callable<T> call, Runnable beat) {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      try {
        var running = threads.submit(call);
        while (!isDone(running)) {
          beat.run();
        }
        return Faults.result(running);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw Faults.of(FaultKind.UNAVAILABLE, "interrupted while waiting for agents");
      } finally {
        threads.shutdownNow();
      }
    }
  }

  private static boolean isDone(Future<?> running) throws InterruptedException {
    try {
      running.get(HeartbeatContract.INTERVAL.toNanos(), NANOSECONDS);
      return true;
    } catch (ExecutionException e) {
      return true;
    } catch (TimeoutException e) {
      return false;
    }
  }
}
