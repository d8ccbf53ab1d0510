package io.middleware.engine.log;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.bridge.SLF4JBridgeHandler;

/** Brings into the log what would otherwise be printed in another form. */
public final class ProcessLog {
  private static final Logger LOG = LoggerFactory.getLogger(ProcessLog.class);

  private ProcessLog() {}

  /**
   * To be called first by every process: from then on, the log has the lines of libraries that use
   * {@code java.util.logging}, such as gRPC, and the exceptions that nobody has caught.
   */
  public static void begin() {
    SLF4JBridgeHandler.removeHandlersForRootLogger();
    SLF4JBridgeHandler.install();
    Thread.setDefaultUncaughtExceptionHandler(ProcessLog::uncaught);
  }

  private static void uncaught(Thread thread, Throwable error) {
    LOG.atError().setCause(error).log("uncaught exception in thread {}", thread.getName());
  }
}
