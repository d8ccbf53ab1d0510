package io.middleware.engine.process;

import io.middleware.engine.log.ProcessLog;
import io.middleware.engine.process.settings.ProcessArguments;
import io.middleware.engine.process.settings.SettingsException;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The first steps of a process. */
public final class StartUp {
  private static final Logger LOG = LoggerFactory.getLogger(StartUp.class);
  private static final int START_FAILED = 1;
  private static final int INVALID_SETTINGS = 2;

  private StartUp() {}

  /**
   * Reads the settings and starts the process with them. A failure is logged; the exit code is 2
   * for settings that are not valid, otherwise 1.
   */
  public static void run(String[] arguments, Consumer<EngineSettings> process) {
    ProcessLog.begin();
    try {
      var settings = EngineSettings.read(new ProcessArguments(List.of(arguments), System.getenv()));
      LogLevels.apply(settings.log());
      process.accept(settings);
    } catch (SettingsException e) {
      LOG.error("{}", e.getMessage());
      System.exit(INVALID_SETTINGS);
    } catch (RuntimeException e) {
      LOG.error("start failed", e);
      System.exit(START_FAILED);
    }
  }
}
