package io.middleware.engine.watcher;

import io.middleware.engine.process.OrderlyStop;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The way out when the process cannot go on: it ends, and its supervisor starts it again. */
final class Exit {
  private static final Logger LOG = LoggerFactory.getLogger(Exit.class);
  private static final int FAILED = 1;

  private final OrderlyStop stop;
  private final Runnable end;

  Exit(OrderlyStop stop) {
    this(stop, () -> System.exit(FAILED));
  }

  Exit(OrderlyStop stop, Runnable end) {
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
