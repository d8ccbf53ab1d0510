package io.middleware.engine.watcher;

import io.middleware.engine.process.GracefulShutdown;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The way out when the process cannot go on: it ends, and its supervisor starts it again. */
final class ProcessExit {
  private static final Logger LOG = LoggerFactory.getLogger(ProcessExit.class);
  private static final int FAILED = 1;

  private final GracefulShutdown stop;
  private final Runnable end;

  ProcessExit(GracefulShutdown stop) {
    this(stop, () -> System.exit(FAILED));
  }

  ProcessExit(GracefulShutdown stop, Runnable end) {
    this.stop = stop;
    this.end = end;
  }

  /**
   * Ends the process, unless it is ending anyway. Returns at once: the caller's thread is needed.
   */
  void because(String reason, Throwable cause) {
    if (!stop.begun()) {
      LOG.error("ending: {}", reason, cause);
      Thread.ofPlatform().name("exit").start(end);
    }
  }
}
