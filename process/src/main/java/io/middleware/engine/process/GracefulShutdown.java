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
 * Closes the resources of a process once, in reverse order of opening, within the deadline. If one
 * resource fails to close, the others are closed all the same.
 */
public final class GracefulShutdown implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(GracefulShutdown.class);

  private final Duration deadline;
  private final Deque<OpenResource> resources = new ArrayDeque<>();
  private final AtomicBoolean begun = new AtomicBoolean();
  private final CountDownLatch done = new CountDownLatch(1);
  private volatile String closing = "";

  private record OpenResource(String name, AutoCloseable resource) {}

  public GracefulShutdown(Duration deadline) {
    this.deadline = deadline;
  }

  /** Registers the resource for closing and returns it. */
  public <T extends AutoCloseable> T opened(String name, T resource) {
    synchronized (resources) {
      resources.push(new OpenResource(name, resource));
    }
    return resource;
  }

  /** Stops on SIGTERM and SIGINT. */
  public GracefulShutdown onSignal() {
    Runtime.getRuntime().addShutdownHook(new Thread(this::close, "stop"));
    return this;
  }

  /** Whether the process is stopping, so that a lost lease or connection is expected. */
  public boolean begun() {
    return begun.get();
  }

  /** Returns when everything is closed or the deadline has passed, also if another caller began. */
  @Override
  public void close() {
    if (begun.compareAndSet(false, true)) {
      LOG.info("stopping");
      Thread.ofPlatform().daemon().name("stopping").start(this::closeAll);
    }
    try {
      if (!done.await(deadline.toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.atError()
            .addKeyValue("resource", closing)
            .log("shutdown not finished within {}", deadline);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void closeAll() {
    try {
      for (OpenResource next = next(); next != null; next = next()) {
        close(next);
      }
      LOG.info("stopped");
    } finally {
      done.countDown();
    }
  }

  private OpenResource next() {
    synchronized (resources) {
      return resources.poll();
    }
  }

  private void close(OpenResource opened) {
    closing = opened.name();
    try {
      opened.resource().close();
    } catch (Exception e) {
      LOG.atWarn().addKeyValue("resource", opened.name()).setCause(e).log("failed to close");
    }
  }
}
