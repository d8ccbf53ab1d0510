package io.middleware.engine.watcher.temporal;

import io.grpc.ConnectivityState;
import io.grpc.Context;
import io.grpc.StatusRuntimeException;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowException;
import io.temporal.client.schedules.ScheduleException;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Calls of Temporal with a time limit. Nothing is asked of Temporal before it is known that the
 * runs there are those of this cluster.
 */
public final class TemporalCalls implements AutoCloseable {
  private final WorkflowClient client;
  private final Duration timeout;
  private final BooleanSupplier own;
  private final ScheduledExecutorService deadlines =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("temporal-deadline").factory());

  /**
   * @param timeout of one call, its retries included
   * @param own whether the runs in Temporal are those of this cluster
   */
  public TemporalCalls(WorkflowClient client, Duration timeout, BooleanSupplier own) {
    this.client = client;
    this.timeout = timeout;
    this.own = own;
  }

  /** What the calls are made with. */
  public WorkflowClient client() {
    return client;
  }

  /**
   * Limits a call to the timeout. The client itself would retry for a minute or wait for a
   * connection; here the object's next reconciliation retries.
   *
   * @throws TemporalUnavailableException when Temporal does not answer in time
   */
  public <T> T withinTimeout(Supplier<T> call) {
    if (!own.getAsBoolean()) {
      throw new TemporalUnavailableException(
          "not yet known whether another cluster has this cluster's name", null);
    }
    var channel = client.getWorkflowServiceStubs().getRawChannel();
    if (channel.getState(true) == ConnectivityState.TRANSIENT_FAILURE) {
      throw new TemporalUnavailableException("no connection to " + channel.authority(), null);
    }
    var limited =
        Context.current().withDeadlineAfter(timeout.toMillis(), TimeUnit.MILLISECONDS, deadlines);
    var outer = limited.attach();
    try {
      return call.get();
    } catch (WorkflowException | ScheduleException | StatusRuntimeException e) {
      throw new TemporalUnavailableException(
          e.getCause() == null ? e.toString() : e.getCause().toString(), e);
    } finally {
      limited.detachAndCancel(outer, null);
    }
  }

  @Override
  public void close() {
    deadlines.shutdownNow();
  }
}
