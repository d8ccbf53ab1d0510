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
 * An action that is under way or has ended, as all calls see it that want it.
 *
 * @param <T> what it answers at its end
 */
final class PodOperation<T> implements ProgressSink {
  /** So many characters are at most 1 KiB, whatever they are. */
  private static final int LONGEST_MESSAGE = 1024 / 3;

  private static final int ALL = 100;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private State<T> state = new Running<>(Progress.getDefaultInstance());

  /** How it stands. */
  sealed interface State<T> {}

  record Running<T>(Progress progress) implements State<T> {}

  record Done<T>(T answer) implements State<T> {}

  record Failed<T>(StatusRuntimeException why) implements State<T> {
    /** Whether the same would be said again: another try is no use. */
    boolean isRefusal() {
      return why.getStatus().getCode() == Status.Code.FAILED_PRECONDITION;
    }
  }

  @Override
  public void report(String message, int percent) {
    var words = message.substring(0, Math.min(message.length(), LONGEST_MESSAGE));
    var known = Math.clamp(percent, 0, ALL);
    become(new Running<>(Progress.newBuilder().setMessage(words).setPercent(known).build()));
  }

  void end(State<T> end) {
    become(end);
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
   * How it stands as soon as that is not as before, or after this time.
   *
   * @param isOver looked at when somebody calls {@link #wake}: nobody waits any more
   */
  State<T> next(State<T> before, Duration atMost, BooleanSupplier isOver)
      throws InterruptedException {
    lock.lockInterruptibly();
    try {
      var left = atMost.toNanos();
      while (state == before && left > 0 && !isOver.getAsBoolean()) {
        left = changed.awaitNanos(left);
      }
      return state;
    } finally {
      lock.unlock();
    }
  }

  /** Makes those who wait look again. */
  void wake() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void become(State<T> next) {
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
