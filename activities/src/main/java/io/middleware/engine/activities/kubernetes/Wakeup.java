package io.middleware.engine.activities.kubernetes;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Wakes one waiter. A ring that nobody waited for is kept, several are one. */
public final class Wakeup implements AutoCloseable {
  private final Semaphore rung = new Semaphore(0);
  private final Runnable onClose;

  /**
   * @param onClose takes the bell down
   */
  public Wakeup(Runnable onClose) {
    this.onClose = onClose;
  }

  public void ring() {
    if (rung.availablePermits() == 0) {
      rung.release();
    }
  }

  /** Whether it has rung since the last call; waits for that at most this time. */
  boolean await(Duration atMost) throws InterruptedException {
    var rang = rung.tryAcquire(atMost.toNanos(), TimeUnit.NANOSECONDS);
    rung.drainPermits();
    return rang;
  }

  @Override
  public void close() {
    onClose.run();
  }
}
