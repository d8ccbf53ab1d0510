package io.middleware.engine.process;

import io.middleware.engine.process.settings.ProcessArguments;
import io.middleware.engine.process.settings.SettingsException;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The first steps of a process. */
public final class StartUp {
  private static final Logger LOG = LoggerFactory.getLogger(StartUp.class);
  private static final int NOT_STARTED = 1;
  private static final int WRONG_SETTINGS = 2;

  private StartUp() {}

  /**
   * Reads the settings and goes on with them. Wrong ones are told on stderr and end the process
   * with 2; what else keeps it from starting is logged and ends it with 1.
   */
  public static void run(String[] arguments, Consumer<EngineSettings> process) {
    try {
      var settings = EngineSettings.read(new ProcessArguments(List.of(arguments), System.getenv()));
      LogLevels.apply(settings.log());
      process.accept(settings);
    } catch (SettingsException e) {
      System.err.println(e.getMessage());
      System.exit(WRONG_SETTINGS);
    } catch (RuntimeException e) {
      LOG.error("could not start", e);
      System.exit(NOT_STARTED);
    }
  }
}
