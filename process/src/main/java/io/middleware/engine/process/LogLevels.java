package io.middleware.engine.process;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.slf4j.LoggerFactory;

/** Puts the levels of the settings into force. */
public final class LogLevels {
  private LogLevels() {}

  public static void apply(EngineSettings.Log settings) {
    set(Logger.ROOT_LOGGER_NAME, settings.libraries());
    set("io.middleware", settings.level());
  }

  private static void set(String logger, EngineSettings.Level level) {
    if (LoggerFactory.getLogger(logger) instanceof Logger logback) {
      logback.setLevel(Level.valueOf(level.name()));
    }
  }
}
