package io.middleware.engine.agent.server;

import io.grpc.Context;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.middleware.engine.agent.driver.ProgressSink;
import io.middleware.engine.agent.server.PodOperation.Done;
import io.middleware.engine.agent.server.PodOperation.Failed;
import io.middleware.engine.agent.server.PodOperation.State;
import io.middleware.engine.agent.server.PodOperation.Running;
import io.middleware.engine.proto.tool.v1.Progress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.Lock;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The operations of one action on one pod, by id.
 *
 * <ol>
 *   <li>A call begins the operation, or attaches to it when one of this id is there.
 *   <li>It is sent the progress whenever that changes, and again each interval.
 *   <li>When the last call goes before the end, the operation is cancelled and forgotten.
 *   <li>Success and refusal are remembered; after any other end the same id begins again at 1.
 * </ol>
 *
 * @param <T> the messages of the stream
 */
final class OperationRegistry<T> {
  /** How long an end is told to those who ask again. */
  static final Duration REMEMBERED = Duration.ofMinutes(10);

  private static final Logger LOG = LoggerFactory.getLogger(OperationRegistry.class);
  private static final int LONGEST_ID = 128;

  private final Map<String, Run> byId = new HashMap<>();
  private final Lock turn;
  private final Function<Progress, T> step;
  private final Duration interval;
  private final InstantSource clock;

  /** What is done. */
  @FunctionalInterface
  interface Action<T> {
    T run(ProgressSink progress) throws InterruptedException;
  }

  private final class Run {
    private final PodOperation<T> operation = new PodOperation<>();
    private Thread thread;
    private int calls;
    private Instant ended = Instant.MAX;
  }

  /**
   * @param turn held while an action is under way, so that the pod does one thing at a time
   * @param step wraps a progress
   * @param interval the longest silence
   */
  OperationRegistry(Lock turn, Function<Progress, T> step, Duration interval, InstantSource clock) {
    this.turn = turn;
    this.step = step;
    this.interval = interval;
    this.clock = clock;
  }

  /** Serves one call to its end. */
  void serve(String id, Action<T> action, ServerCallStreamObserver<T> to) {
    if (id.isEmpty() || id.length() > LONGEST_ID) {
      to.onError(refusal(Status.INVALID_ARGUMENT, "operation_id must have 1 to 128 characters"));
      return;
    }
    to.setOnCancelHandler(() -> {}); // else a message to one who has gone throws
    var run = attach(id, action);
    try {
      switch (follow(run.operation, to)) {
        case Done<T>(var answer) -> {
          to.onNext(answer);
          to.onCompleted();
        }
        case Failed<T>(var why) -> to.onError(why);
        case Running<T> left -> {} // the caller has gone
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      to.onError(refusal(Status.UNAVAILABLE, "the agent is being stopped"));
    } finally {
      detach(id, run);
    }
  }

  private State<T> follow(PodOperation<T> operation, ServerCallStreamObserver<T> to)
      throws InterruptedException {
    var call = Context.current();
    call.addListener(gone -> operation.wake(), Runnable::run);
    var state = operation.state();
    while (state instanceof Running<T> && !call.isCancelled()) {
      state = operation.next(state, interval, call::isCancelled);
      if (state instanceof Running<T>(var progress) && to.isReady()) {
        to.onNext(step.apply(progress));
      }
    }
    return state;
  }

  private synchronized Run attach(String id, Action<T> action) {
    var longAgo = clock.instant().minus(REMEMBERED);
    byId.values().removeIf(run -> run.ended.isBefore(longAgo));
    var run = byId.computeIfAbsent(id, i -> begin(i, action));
    run.calls++;
    return run;
  }

  private synchronized void detach(String id, Run run) {
    run.calls--;
    if (run.calls == 0 && run.operation.state() instanceof Running<T>) {
      byId.remove(id, run);
      run.thread.interrupt();
    }
  }

  private Run begin(String id, Action<T> action) {
    var run = new Run();
    run.thread =
        Thread.ofVirtual().name("operation " + id).unstarted(() -> carryOut(id, run, action));
    run.thread.start();
    return run;
  }

  private void carryOut(String id, Run run, Action<T> action) {
    State<T> end = failed(Status.INTERNAL, "the action ended without a result");
    try {
      turn.lockInterruptibly();
      try {
        end = new Done<>(action.run(run.operation));
      } finally {
        turn.unlock();
      }
    } catch (InterruptedException e) {
      end = failed(Status.CANCELLED, "the operation was cancelled");
    } catch (StatusRuntimeException e) {
      end = new Failed<>(e);
    } catch (RuntimeException e) {
      LOG.atError().addKeyValue("operation", id).setCause(e).log("action broke off");
      end = failed(Status.INTERNAL, "the action broke off: " + e);
    } finally {
      end(id, run, end);
    }
  }

  private synchronized void end(String id, Run run, State<T> end) {
    run.operation.end(end);
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
