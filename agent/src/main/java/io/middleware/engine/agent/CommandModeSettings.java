package io.middleware.engine.agent;

import io.middleware.engine.agent.account.AccountFiles;
import io.middleware.engine.agent.command.CommandMode;
import io.middleware.engine.agent.order.RoleOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The settings of the mode {@code commands}, from environment variables: see the README.
 *
 * @param service the headless Service of the group; empty: not known
 */
public record CommandModeSettings(CommandMode.Settings mode, Optional<String> service) {
  /** The folder with the passwords of the pod. */
  public static final String SECRETS = "AGENT_SECRETS_FOLDER";

  private static final Duration ONE_SECOND = Duration.ofSeconds(1);

  /** Throws IllegalArgumentException, which names the variable, when a value is not valid. */
  public static CommandModeSettings from(EnvironmentVariables env) {
    var mode =
        new CommandMode.Settings(
            SidecarSettings.pod(env).name(),
            Path.of(env.required(SidecarSettings.ACTIONS, "the folder with the commands")),
            env.duration("ROLE_INTERVAL", ONE_SECOND),
            env.duration("ROLE_TIMEOUT", ONE_SECOND),
            env.value("AGENT_ORDER").map(CommandModeSettings::order).orElse(RoleOrder.PRIMARY_LAST),
            SidecarSettings.backups(env),
            new AccountFiles(env.value(SECRETS).map(Path::of)));
    return new CommandModeSettings(mode, env.value("AGENT_SERVICE"));
  }

  private static RoleOrder order(String text) {
    var roles = Stream.of(text.split(",", -1)).map(String::strip).toList();
    if (roles.contains("") || Set.copyOf(roles).size() < roles.size()) {
      throw EnvironmentVariables.invalid(
          "AGENT_ORDER", "roles with commas between them, each once, the primary's last", text);
    }
    return new RoleOrder(roles);
  }
}
