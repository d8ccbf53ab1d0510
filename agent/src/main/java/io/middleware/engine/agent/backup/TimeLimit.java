package io.middleware.engine.agent.backup;

import io.grpc.StatusRuntimeException;
import io.middleware.engine.agent.driver.ActionOutput;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Interrupts an action that takes too long.
 *
 * @param atMost zero: as long as it needs
 */
record TimeLimit(Duration atMost) {
  private static final int TERMINATED = 143;

  ActionOutput run(Supplier<ActionOutput> action) throws InterruptedException {
    if (atMost.isZero()) {
      return action.get();
    }
    var timedOut = new AtomicBoolean();
    var worker = Thread.currentThread();
    var watch = Thread.startVirtualThread(() -> interruptLater(worker, timedOut));
    try {
      return action.get();
    } catch (StatusRuntimeException e) {
      if (timedOut.get()) {
        return new ActionOutput(
            TERMINATED,
            "terminated after %s: %s".formatted(atMost, e.getStatus().getDescription()),
            Map.of(),
            true);
      }
      throw e;
    } finally {
      end(watch, timedOut);
    }
  }

  private void interruptLater(Thread worker, AtomicBoolean timedOut) {
    try {
      Thread.sleep(atMost);
      timedOut.set(true);
      worker.interrupt();
    } catch (InterruptedException e) {
      // the action ended in time
    }
  }

  /** After this the watch interrupts nobody any more; its own interrupt is taken back. */
  private static void end(Thread watch, AtomicBoolean timedOut) throws InterruptedException {
    watch.interrupt();
    var cancelled = Thread.interrupted();
    watch.join();
    if (timedOut.get()) {
      Thread.interrupted();
    } else if (cancelled) {
      Thread.currentThread().interrupt();
    }
  }
}
