package io.middleware.engine.agent.server;

import io.grpc.Context;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.middleware.engine.agent.driver.ProgressSink;
import io.middleware.engine.agent.server.PodOperation.Done;
import io.middleware.engine.agent.server.PodOperation.Failed;
import io.middleware.engine.agent.server.PodOperation.Running;
import io.middleware.engine.agent.server.PodOperation.State;
import io.middleware.engine.proto.tool.v1.Progress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Lock;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The operations of one action on one pod, by operation id.
 *
 * <ol>
 *   <li>A call starts the operation, or attaches to the operation that has the same id.
 *   <li>The call receives the progress on every change and once per interval.
 *   <li>When the last call is cancelled, so is the operation, and its id is free again. When its
 *       connection was lost, the operation is cancelled unless a call attaches to it in time.
 *   <li>A call to stop cancels it as well, and lasts until what was cancelled has ended.
 *   <li>Results and refusals are kept for a while; after any other failure the id is free again.
 * </ol>
 *
 * @param <T> the type of the stream's messages
 */
final class OperationRegistry<T> {
  /** How long later calls receive the result of an ended operation, as a rule. */
  static final Duration RESULT_RETENTION = Duration.ofMinutes(10);

  private static final Logger LOG = LoggerFactory.getLogger(OperationRegistry.class);
  private static final int MAX_ID_LENGTH = 128;

  private final Map<String, Run> byId = new HashMap<>();

  /** Cancelled, and not ended yet. */
  private final Set<Run> ending = new HashSet<>();

  private final Lock podLock;
  private final Function<Progress, T> wrapProgress;
  private final Duration interval;
  private final Duration patience;
  private final Duration retention;
  private final InstantSource clock;

  @FunctionalInterface
  interface Action<T> {
    /** Runs first, and beside other actions on the pod. */
    default void prepare(ProgressSink progress) throws InterruptedException {}

    T run(ProgressSink progress) throws InterruptedException;
  }

  private final class Run {
    private final String id;
    private final PodOperation<T> operation = new PodOperation<>();
    private Thread thread;
    private int calls;
    private int attached;
    private Instant ended = Instant.MAX;

    Run(String id) {
      this.id = id;
    }
  }

  /**
   * @param podLock held while an action runs, so that the pod runs one action at a time
   * @param wrapProgress makes a message of the stream from a progress
   * @param interval the longest time between two messages
   * @param patience how long an operation waits for another call after a lost connection
   * @param retention how long later calls receive the result of an ended operation
   */
  OperationRegistry(
      Lock podLock,
      Function<Progress, T> wrapProgress,
      Duration interval,
      Duration patience,
      Duration retention,
      InstantSource clock) {
    this.podLock = podLock;
    this.wrapProgress = wrapProgress;
    this.interval = interval;
    this.patience = patience;
    this.retention = retention;
    this.clock = clock;
  }

  /** Returns when the call has ended. */
  void serve(String id, Action<T> action, ServerCallStreamObserver<T> observer) {
    if (id.isEmpty() || id.length() > MAX_ID_LENGTH) {
      observer.onError(
          refusal(Status.INVALID_ARGUMENT, "operation_id must have 1 to 128 characters"));
      return;
    }
    observer.setOnCancelHandler(() -> {}); // otherwise a message to a cancelled call throws
    var run = attach(id, action);
    try {
      switch (streamProgress(run.operation, wrapProgress, observer)) {
        case Done<T>(var answer) -> {
          observer.onNext(answer);
          observer.onCompleted();
        }
        case Failed<T>(var why) -> observer.onError(why);
        case Running<T> running -> {} // the call is cancelled
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      observer.onError(refusal(Status.UNAVAILABLE, "the agent is being stopped"));
    } finally {
      detach(id, run);
    }
  }

  /**
   * Cancels the operation, whoever else follows it. Returns when the operation or the call has
   * ended.
   *
   * @param stopped the last message
   */
  <S> void stop(
      String id, Function<Progress, S> wrap, S stopped, ServerCallStreamObserver<S> observer) {
    observer.setOnCancelHandler(() -> {});
    try {
      for (var run : cancelled(id)) {
        streamProgress(run.operation, wrap, observer);
      }
      if (!Context.current().isCancelled()) {
        observer.onNext(stopped);
        observer.onCompleted();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      observer.onError(refusal(Status.UNAVAILABLE, "the agent is being stopped"));
    }
  }

  /** From now on no call receives a result that is there. */
  synchronized void forgetResults() {
    byId.values().removeIf(run -> !run.ended.equals(Instant.MAX));
  }

  private synchronized List<Run> cancelled(String id) {
    Optional.ofNullable(byId.get(id)).ifPresent(run -> cancel(id, run));
    return ending.stream().filter(run -> run.id.equals(id)).toList();
  }

  private <M> State<T> streamProgress(
      PodOperation<T> operation, Function<Progress, M> wrap, ServerCallStreamObserver<M> observer)
      throws InterruptedException {
    var call = Context.current();
    call.addListener(cancelled -> operation.wakeWaiters(), Runnable::run);
    var state = operation.state();
    while (state instanceof Running<T> && !call.isCancelled()) {
      state = operation.awaitChange(state, interval, call::isCancelled);
      if (state instanceof Running<T>(var progress) && observer.isReady()) {
        observer.onNext(wrap.apply(progress));
      }
    }
    return state;
  }

  private synchronized Run attach(String id, Action<T> action) {
    var oldestKept = clock.instant().minus(retention);
    byId.values().removeIf(run -> run.ended.isBefore(oldestKept));
    var run = byId.computeIfAbsent(id, i -> start(i, action));
    run.calls++;
    run.attached++;
    return run;
  }

  private synchronized void detach(String id, Run run) {
    run.calls--;
    if (run.calls == 0 && CallEnd.isConnectionLost()) {
      var attached = run.attached;
      Thread.startVirtualThread(() -> cancelLater(id, run, attached));
    } else if (run.calls == 0) {
      cancel(id, run);
    }
  }

  private void cancelLater(String id, Run run, int attached) {
    try {
      Thread.sleep(patience);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    synchronized (this) {
      if (run.attached == attached) {
        cancel(id, run);
      }
    }
  }

  private void cancel(String id, Run run) {
    if (run.operation.state() instanceof Running<T> && ending.add(run)) {
      byId.remove(id, run);
      run.thread.interrupt();
    }
  }

  private Run start(String id, Action<T> action) {
    var run = new Run(id);
    run.thread =
        Thread.ofVirtual().name("operation " + id).unstarted(() -> runAction(id, run, action));
    run.thread.start();
    return run;
  }

  private void runAction(String id, Run run, Action<T> action) {
    State<T> end = failed(Status.INTERNAL, "the action ended without a result");
    try {
      action.prepare(run.operation);
      takePodLock(run.operation);
      try {
        end = new Done<>(action.run(run.operation));
      } finally {
        podLock.unlock();
      }
    } catch (InterruptedException e) {
      end = failed(Status.CANCELLED, "the operation was cancelled");
    } catch (StatusRuntimeException e) {
      end = new Failed<>(e);
    } catch (RuntimeException e) {
      LOG.atError().addKeyValue("operation", id).setCause(e).log("action failed unexpectedly");
      end = failed(Status.INTERNAL, "the action failed unexpectedly: " + e);
    } finally {
      end(id, run, end);
    }
  }

  private void takePodLock(ProgressSink progress) throws InterruptedException {
    if (!podLock.tryLock()) {
      progress.report("waiting until another action on this pod has ended", 0);
      podLock.lockInterruptibly();
    }
  }

  private synchronized void end(String id, Run run, State<T> end) {
    run.operation.end(end);
    ending.remove(run);
    run.ended = clock.instant();
    if (end instanceof Failed<T> failed && !failed.isRefusal()) {
      byId.remove(id, run);
    }
  }

  private static <T> Failed<T> failed(Status status, String why) {
    return new Failed<>(refusal(status, why));
  }

  private static StatusRuntimeException refusal(Status status, String why) {
    return status.withDescription(why).asRuntimeException();
  }
}
