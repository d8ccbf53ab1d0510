package io.middleware.engine.watcher;

import io.middleware.engine.process.GracefulShutdown;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends a process that cannot continue; its supervisor starts it again. */
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
   * Ends the process unless it is stopping already. Returns at once, as the caller's thread may be
   * needed for the shutdown.
   */
  void because(String reason, Throwable cause) {
    if (!stop.begun()) {
      LOG.error("exiting: {}", reason, cause);
      Thread.ofPlatform().name("exit").start(end);
    }
  }
}
