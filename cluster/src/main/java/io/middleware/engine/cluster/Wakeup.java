package io.middleware.engine.cluster;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Wakes one waiter. A trigger that nobody waits for is kept; several count as one. */
public final class Wakeup implements AutoCloseable {
  private final Semaphore triggered = new Semaphore(0);
  private final Runnable onClose;

  /**
   * @param onClose unregisters the wakeup
   */
  public Wakeup(Runnable onClose) {
    this.onClose = onClose;
  }

  public void trigger() {
    if (triggered.availablePermits() == 0) {
      triggered.release();
    }
  }

  /** Waits at most this time; returns whether there was a trigger since the last call. */
  boolean await(Duration atMost) throws InterruptedException {
    var wasTriggered = triggered.tryAcquire(atMost.toNanos(), TimeUnit.NANOSECONDS);
    triggered.drainPermits();
    return wasTriggered;
  }

  @Override
  public void close() {
    onClose.run();
  }
}
