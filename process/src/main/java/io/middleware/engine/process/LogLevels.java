package io.middleware.engine.process;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.slf4j.LoggerFactory;

/** Applies the log levels of the settings. */
public final class LogLevels {
  private LogLevels() {}

  public static void apply(EngineSettings.LogSettings settings) {
    set(Logger.ROOT_LOGGER_NAME, settings.libraries());
    set("io.middleware", settings.level());
  }

  private static void set(String logger, EngineSettings.LogLevel level) {
    if (LoggerFactory.getLogger(logger) instanceof Logger logback) {
      logback.setLevel(Level.valueOf(level.name()));
    }
  }
}
