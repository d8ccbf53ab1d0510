package io.middleware.engine.agent.server;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.middleware.engine.agent.driver.ProgressSink;
import io.middleware.engine.proto.tool.v1.Progress;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * An action that is running or has ended, shared by all calls with the same operation id.
 *
 * @param <T> the result of the action
 */
final class PodOperation<T> implements ProgressSink {
  /** At most 1 KiB in UTF-8. */
  private static final int MAX_MESSAGE_CHARS = 1024 / 3;

  private static final int MAX_PERCENT = 100;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private State<T> state = new Running<>(Progress.getDefaultInstance());

  sealed interface State<T> {}

  record Running<T>(Progress progress) implements State<T> {}

  record Done<T>(T answer) implements State<T> {}

  record Failed<T>(StatusRuntimeException why) implements State<T> {
    /** Whether a retry would fail in the same way. */
    boolean isRefusal() {
      return why.getStatus().getCode() == Status.Code.FAILED_PRECONDITION;
    }
  }

  @Override
  public void report(String message, int percent) {
    var text = message.substring(0, Math.min(message.length(), MAX_MESSAGE_CHARS));
    var validPercent = Math.clamp(percent, 0, MAX_PERCENT);
    changeTo(
        new Running<>(Progress.newBuilder().setMessage(text).setPercent(validPercent).build()));
  }

  void end(State<T> end) {
    changeTo(end);
  }

  State<T> state() {
    lock.lock();
    try {
      return state;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until the state differs from the one before, or until the time is over.
   *
   * @param isCancelled ends the wait early; checked after each {@link #wakeWaiters}
   */
  State<T> awaitChange(State<T> before, Duration atMost, BooleanSupplier isCancelled)
      throws InterruptedException {
    lock.lockInterruptibly();
    try {
      var remainingNanos = atMost.toNanos();
      while (state == before && remainingNanos > 0 && !isCancelled.getAsBoolean()) {
        remainingNanos = changed.awaitNanos(remainingNanos);
      }
      return state;
    } finally {
      lock.unlock();
    }
  }

  /** Makes every waiting call check again whether it is cancelled. */
  void wakeWaiters() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void changeTo(State<T> next) {
    lock.lock();
    try {
      if (state instanceof Running<T>) {
        state = next;
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }
}
