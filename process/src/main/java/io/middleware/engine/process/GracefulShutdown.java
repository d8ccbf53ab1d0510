package io.middleware.engine.process;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes what a process has opened: last opened first, once, and no longer than the deadline. A
 * part that fails to close does not keep the others from it.
 */
public final class GracefulShutdown implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(GracefulShutdown.class);

  private final Duration deadline;
  private final Deque<Part> parts = new ArrayDeque<>();
  private final AtomicBoolean begun = new AtomicBoolean();
  private final CountDownLatch done = new CountDownLatch(1);
  private volatile String closing = "";

  private record Part(String name, AutoCloseable closing) {}

  public GracefulShutdown(Duration deadline) {
    this.deadline = deadline;
  }

  /** Remembers the part and hands it back. */
  public <T extends AutoCloseable> T opened(String name, T part) {
    synchronized (parts) {
      parts.push(new Part(name, part));
    }
    return part;
  }

  /** Stops on SIGTERM and SIGINT. */
  public GracefulShutdown onSignal() {
    Runtime.getRuntime().addShutdownHook(new Thread(this::close, "stop"));
    return this;
  }

  /** Whether the process is on its way out, so that a lost lease or connection is no news. */
  public boolean begun() {
    return begun.get();
  }

  /** Returns when all is closed or the deadline has passed, whoever has begun it. */
  @Override
  public void close() {
    if (begun.compareAndSet(false, true)) {
      LOG.info("stopping");
      Thread.ofPlatform().daemon().name("stopping").start(this::closeAll);
    }
    try {
      if (!done.await(deadline.toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.atError().addKeyValue("part", closing).log("did not stop within {}", deadline);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void closeAll() {
    try {
      for (Part part = next(); part != null; part = next()) {
        close(part);
      }
      LOG.info("stopped");
    } finally {
      done.countDown();
    }
  }

  private Part next() {
    synchronized (parts) {
      return parts.poll();
    }
  }

  private void close(Part part) {
    closing = part.name();
    try {
      part.closing().close();
    } catch (Exception e) {
      LOG.atWarn().addKeyValue("part", part.name()).setCause(e).log("failed to close");
    }
  }
}
