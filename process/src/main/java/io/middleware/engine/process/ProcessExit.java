package io.middleware.engine.process;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends a process that cannot continue; its supervisor starts it again. */
public final class ProcessExit {
  private static final Logger LOG = LoggerFactory.getLogger(ProcessExit.class);
  private static final int FAILED = 1;

  private final GracefulShutdown stop;
  private final Runnable end;

  public ProcessExit(GracefulShutdown stop) {
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
  public void because(String reason, Throwable cause) {
    if (!stop.begun()) {
      LOG.error("exiting: {}", reason, cause);
      Thread.ofPlatform().name("exit").start(end);
    }
  }
}
