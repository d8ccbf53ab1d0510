package io.middleware.engine.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.middleware.engine.agent.SidecarSettings.Commands;
import io.middleware.engine.agent.SidecarSettings.Fixed;
import io.middleware.engine.agent.SidecarSettings.Redis;
import io.middleware.engine.agent.SidecarSettings.Sentinel;
import io.middleware.engine.agent.account.AccountFiles;
import io.middleware.engine.agent.command.CommandMode;
import io.middleware.engine.agent.order.RoleOrder;
import io.middleware.engine.agent.server.ServedPod;
import io.middleware.engine.agent.server.ServerAddresses;
import io.middleware.engine.agent.store.StoreFiles;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SidecarSettingsTest {
  private static final ServerAddresses EVERYWHERE =
      new ServerAddresses(new InetSocketAddress("0.0.0.0", 9090), Optional.empty());

  @Test
  void shouldNeedOnlyThePodAsSidecar() {
    assertThat(settings(Map.of("POD_NAME", "db-2")))
        .isEqualTo(
            new Fixed(
                EVERYWHERE, Optional.empty(), Optional.empty(), new ServedPod("db-2", ""), "db-0"));
  }

  @Test
  void shouldReadEverySettingOfASidecar() {
    var env =
        Map.of(
            "AGENT_MODE", "sidecar",
            "AGENT_PORT", "7000",
            "AGENT_BIND", "10.0.0.7",
            "POD_NAME", "db-2",
            "POD_UID", "u2",
            "AGENT_TLS_FOLDER", "/etc/agent-tls",
            "AGENT_ACTIONS_FOLDER", "/etc/actions",
            "AGENT_PROBE_PORT", "7001",
            "AGENT_PRIMARY", "db-1");

    assertThat(settings(env))
        .isEqualTo(
            new Fixed(
                new ServerAddresses(
                    new InetSocketAddress("10.0.0.7", 7000),
                    Optional.of(new InetSocketAddress("10.0.0.7", 7001))),
                Optional.of(Path.of("/etc/agent-tls")),
                Optional.of(Path.of("/etc/actions")),
                new ServedPod("db-2", "u2"),
                "db-1"));
  }

  /** Kubelets set them for Services that are named agent, agent-probe and redis. */
  @Test
  void shouldNotTakeVariablesOfServicesForSettings() {
    // Given
    var service = "tcp://10.96.0.7:6379";
    var env =
        Map.of(
            "POD_NAME",
            "db-2",
            "AGENT_PORT",
            service,
            "AGENT_PROBE_PORT",
            service,
            "REDIS_PORT",
            "udp://10.96.0.7:6379");

    // When Then
    assertThat(settings(env))
        .isEqualTo(
            new Fixed(
                EVERYWHERE, Optional.empty(), Optional.empty(), new ServedPod("db-2", ""), "db-0"));
    assertThat(new EnvironmentVariables(env).port("REDIS_PORT", 6379)).isEqualTo(6379);
  }

  @Test
  void shouldReadTheSettingsOfARedis() {
    var env =
        Map.of(
            "AGENT_MODE", "redis",
            "POD_NAME", "db-2",
            "POD_NAMESPACE", "shop",
            "REDIS_ACCOUNTS_FOLDER", "/etc/redis-accounts",
            "REDIS_ACCOUNTS_MEMORY", "/accounts-memory",
            "REDIS_DATA_FOLDER", "/data",
            "REDIS_TLS_FOLDER", "/etc/redis-tls",
            "REDIS_HOST", "10.0.0.7",
            "REDIS_SERVICE", "db",
            "REDIS_REPLICAS_FILE", "/etc/redis/replicas");

    assertThat(settings(env))
        .isEqualTo(
            new Redis(
                EVERYWHERE,
                Optional.empty(),
                Optional.empty(),
                new ServedPod("db-2", ""),
                "shop",
                "10.0.0.7",
                6379,
                "db",
                Path.of("/etc/redis/replicas"),
                new AccountFiles(
                    Optional.of(Path.of("/etc/redis-accounts")),
                    Optional.of(Path.of("/accounts-memory"))),
                Optional.of(Path.of("/etc/redis-tls")),
                Optional.of(Path.of("/data")),
                Optional.empty()));
  }

  @Test
  void shouldReadTheSettingsOfASentinel() {
    var env =
        Map.of(
            "AGENT_MODE", "sentinel",
            "POD_NAME", "watch-1",
            "SENTINEL_HOST", "10.0.0.8",
            "SENTINEL_SERVICE", "watch",
            "SENTINEL_CONFIG_FOLDER", "/etc/sentinel");

    assertThat(settings(env))
        .isEqualTo(
            new Sentinel(
                EVERYWHERE,
                Optional.empty(),
                Optional.empty(),
                new ServedPod("watch-1", ""),
                "",
                "10.0.0.8",
                26_379,
                "watch",
                6379,
                AccountFiles.NONE,
                Optional.empty(),
                Path.of("/etc/sentinel")));
  }

  @Test
  void shouldNeedOnlyThePodAndTheFolderForCommands() {
    var env =
        Map.of("AGENT_MODE", "commands", "POD_NAME", "db-2", "AGENT_ACTIONS_FOLDER", "/commands");

    assertThat(settings(env))
        .isEqualTo(
            new Commands(
                EVERYWHERE,
                Optional.empty(),
                new ServedPod("db-2", ""),
                Optional.empty(),
                new CommandMode.Settings(
                    "db-2",
                    Path.of("/commands"),
                    Duration.ofSeconds(1),
                    Duration.ofSeconds(1),
                    RoleOrder.PRIMARY_LAST,
                    Optional.empty(),
                    AccountFiles.NONE)));
  }

  @Test
  void shouldReadEverySettingOfCommands() {
    var env =
        Map.of(
            "AGENT_MODE", "commands",
            "POD_NAME", "db-2",
            "AGENT_ACTIONS_FOLDER", "/commands",
            "AGENT_SERVICE", "db",
            "AGENT_ORDER", "learner, follower,leader",
            "ROLE_INTERVAL", "500ms",
            "ROLE_TIMEOUT", "2s",
            "AGENT_SECRETS_FOLDER", "/secrets",
            "BACKUP_STORE_FOLDER", "/etc/backup-store");

    assertThat(settings(env))
        .isEqualTo(
            new Commands(
                EVERYWHERE,
                Optional.empty(),
                new ServedPod("db-2", ""),
                Optional.of("db"),
                new CommandMode.Settings(
                    "db-2",
                    Path.of("/commands"),
                    Duration.ofMillis(500),
                    Duration.ofSeconds(2),
                    new RoleOrder(List.of("learner", "follower", "leader")),
                    Optional.of(new StoreFiles(Path.of("/etc/backup-store"))),
                    new AccountFiles(Optional.of(Path.of("/secrets"))))));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          AGENT_ACTIONS_FOLDER |             | AGENT_ACTIONS_FOLDER must be the folder with the commands
          ROLE_INTERVAL        | 1           | ROLE_INTERVAL must be a duration such as 500ms, 1s or 2m
          ROLE_TIMEOUT         | 0s          | ROLE_TIMEOUT must be a duration such as 500ms, 1s or 2m
          AGENT_ORDER          | follower,   | AGENT_ORDER must be roles with commas between them
          AGENT_ORDER          | leader,leader | AGENT_ORDER must be roles with commas between them
          """)
  void shouldNameTheVariableOfCommandsThatIsNotValid(String name, String value, String why) {
    var env = new HashMap<String, String>();
    env.put("AGENT_MODE", "commands");
    env.put("POD_NAME", "db-2");
    env.put("AGENT_ACTIONS_FOLDER", "/commands");
    env.put(name, value == null ? "" : value);

    assertThatThrownBy(() -> settings(env)).hasMessageContaining(why);
  }

  @ParameterizedTest
  @ValueSource(strings = {"SENTINEL_HOST", "SENTINEL_SERVICE", "SENTINEL_CONFIG_FOLDER"})
  void shouldNameTheMissingSettingOfASentinel(String name) {
    var env =
        new HashMap<>(
            Map.of(
                "AGENT_MODE", "sentinel",
                "POD_NAME", "watch-1",
                "SENTINEL_HOST", "10.0.0.8",
                "SENTINEL_SERVICE", "watch",
                "SENTINEL_CONFIG_FOLDER", "/etc/sentinel"));
    env.remove(name);

    assertThatThrownBy(() -> settings(env)).hasMessageStartingWith(name + " must be the");
  }

  @ParameterizedTest
  @CsvSource({
    "AGENT_MODE, remote, 'AGENT_MODE must be sidecar, commands, redis, sentinel, restore or restore-commands, but is ''remote'''",
    "AGENT_PORT, http, 'AGENT_PORT must be a port, but is ''http'''",
    "AGENT_PORT, 65536, 'AGENT_PORT must be a port, but is ''65536'''",
    "AGENT_PORT, -1, 'AGENT_PORT must be a port, but is ''-1'''",
    "POD_NAME, ' ', 'POD_NAME must be the name of the pod, but is '''''",
  })
  void shouldNameTheVariableThatIsNotValid(String name, String value, String message) {
    var env = new HashMap<>(Map.of("POD_NAME", "db-0"));
    env.put(name, value);

    assertThatThrownBy(() -> settings(env)).hasMessage(message);
  }

  private static SidecarSettings settings(Map<String, String> env) {
    return SidecarSettings.from(new EnvironmentVariables(env));
  }
}
