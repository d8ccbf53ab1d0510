package io.middleware.engine.agent;

import io.middleware.engine.agent.command.CommandPlace;
import io.middleware.engine.agent.command.CommandRestore;
import io.middleware.engine.agent.store.StoreFiles;
import java.nio.file.Path;

/**
 * The settings of a restore by the command {@code restore}, from environment variables: see the
 * README.
 */
record CommandRestoreSettings(CommandRestore command) implements StartRestore {

  static boolean areIn(EnvironmentVariables env) {
    return env.value("AGENT_MODE").filter("restore-commands"::equals).isPresent();
  }

  static CommandRestoreSettings from(EnvironmentVariables env) {
    return new CommandRestoreSettings(
        new CommandRestore(
            Path.of(env.required(SidecarSettings.ACTIONS, "the folder with the commands")),
            new StoreFiles(
                Path.of(
                    env.required(
                        SidecarSettings.BACKUP_STORE,
                        "the folder with the settings of the store"))),
            Path.of(env.required("RESTORE_FILE", "the file that names the backup")),
            CommandPlace.here()));
  }

  @Override
  public String restore() {
    return command.run();
  }
}
