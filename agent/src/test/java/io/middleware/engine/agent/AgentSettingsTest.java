package io.middleware.engine.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.middleware.engine.agent.AgentSettings.Local;
import io.middleware.engine.agent.AgentSettings.Redis;
import io.middleware.engine.agent.AgentSettings.Sentinel;
import io.middleware.engine.agent.AgentSettings.Sidecar;
import io.middleware.engine.agent.host.HostSettings;
import io.middleware.engine.agent.server.Addresses;
import io.middleware.engine.agent.server.ServedPod;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AgentSettingsTest {
  private static final Addresses EVERYWHERE =
      new Addresses(new InetSocketAddress("0.0.0.0", 9090), Optional.empty());

  @Test
  void shouldNeedOnlyThePodAsSidecar() {
    assertThat(AgentSettings.from(Map.of("POD_NAME", "db-2")))
        .isEqualTo(new Sidecar(EVERYWHERE, Optional.empty(), new ServedPod("db-2", ""), "db-0"));
  }

  @Test
  void shouldTakeEverySettingOfASidecar() {
    var env =
        Map.of(
            "AGENT_MODE", "sidecar",
            "AGENT_PORT", "7000",
            "AGENT_BIND", "10.0.0.7",
            "POD_NAME", "db-2",
            "POD_UID", "u2",
            "AGENT_TLS_FOLDER", "/etc/agent-tls",
            "AGENT_PROBE_PORT", "7001",
            "AGENT_PRIMARY", "db-1");

    assertThat(AgentSettings.from(env))
        .isEqualTo(
            new Sidecar(
                new Addresses(
                    new InetSocketAddress("10.0.0.7", 7000),
                    Optional.of(new InetSocketAddress("10.0.0.7", 7001))),
                Optional.of(Path.of("/etc/agent-tls")),
                new ServedPod("db-2", "u2"),
                "db-1"));
  }

  @Test
  void shouldServeAllNamespacesUnlessSomeAreNamed() {
    assertThat(AgentSettings.from(Map.of("AGENT_MODE", "local")))
        .isEqualTo(new Local(9090, Optional.empty(), List.of(), Optional.empty()));
    assertThat(AgentSettings.from(Map.of("AGENT_MODE", "local", "AGENT_NAMESPACES", "shop, ops,")))
        .isEqualTo(new Local(9090, Optional.empty(), List.of("shop", "ops"), Optional.empty()));
  }

  @Test
  void shouldHostProcessesWhereThereIsAProgram() {
    var env =
        Map.of(
            "AGENT_MODE", "local",
            "HOST_REDIS_SERVER", "/usr/bin/redis-server",
            "HOST_FOLDER", "/tmp/pods");

    assertThat(AgentSettings.from(env))
        .isEqualTo(
            new Local(
                9090,
                Optional.empty(),
                List.of(),
                Optional.of(
                    new HostSettings(Path.of("/usr/bin/redis-server"), Path.of("/tmp/pods")))));
  }

  @Test
  void shouldTakeTheSettingsOfARedis() {
    var env =
        Map.of(
            "AGENT_MODE", "redis",
            "POD_NAME", "db-2",
            "REDIS_HOST", "10.0.0.7",
            "REDIS_SERVICE", "db",
            "REDIS_REPLICAS_FILE", "/etc/redis/replicas");

    assertThat(AgentSettings.from(env))
        .isEqualTo(
            new Redis(
                EVERYWHERE,
                Optional.empty(),
                new ServedPod("db-2", ""),
                "10.0.0.7",
                6379,
                "db",
                Path.of("/etc/redis/replicas")));
  }

  @Test
  void shouldTakeTheSettingsOfASentinel() {
    var env =
        Map.of(
            "AGENT_MODE", "sentinel",
            "POD_NAME", "watch-1",
            "SENTINEL_HOST", "10.0.0.8",
            "SENTINEL_SERVICE", "watch",
            "SENTINEL_CONFIG_FOLDER", "/etc/sentinel");

    assertThat(AgentSettings.from(env))
        .isEqualTo(
            new Sentinel(
                EVERYWHERE,
                Optional.empty(),
                new ServedPod("watch-1", ""),
                "10.0.0.8",
                26_379,
                "watch",
                6379,
                Path.of("/etc/sentinel")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"SENTINEL_HOST", "SENTINEL_SERVICE", "SENTINEL_CONFIG_FOLDER"})
  void shouldNameWhatASentinelLacks(String name) {
    var env =
        new HashMap<>(
            Map.of(
                "AGENT_MODE", "sentinel",
                "POD_NAME", "watch-1",
                "SENTINEL_HOST", "10.0.0.8",
                "SENTINEL_SERVICE", "watch",
                "SENTINEL_CONFIG_FOLDER", "/etc/sentinel"));
    env.remove(name);

    assertThatThrownBy(() -> AgentSettings.from(env)).hasMessageStartingWith(name + " must be the");
  }

  @Test
  void shouldWantTheProgramThatContainersCall() {
    var env =
        Map.of(
            "AGENT_MODE", "local",
            "HOST_REDIS_SERVER", "/opt/redis-server-7",
            "HOST_FOLDER", "/tmp/pods");

    assertThatThrownBy(() -> AgentSettings.from(env))
        .hasMessage(
            "HOST_REDIS_SERVER must be an absolute path to a redis-server, is '/opt/redis-server-7'");
  }

  @ParameterizedTest
  @CsvSource({
    "AGENT_MODE, remote, 'AGENT_MODE must be local, sidecar, redis or sentinel, is ''remote'''",
    "AGENT_PORT, http, 'AGENT_PORT must be a port, is ''http'''",
    "AGENT_PORT, 65536, 'AGENT_PORT must be a port, is ''65536'''",
    "AGENT_PORT, -1, 'AGENT_PORT must be a port, is ''-1'''",
    "POD_NAME, ' ', 'POD_NAME must be the name of the pod, is '''''",
  })
  void shouldNameTheVariableThatIsWrong(String name, String value, String message) {
    var env = new HashMap<>(Map.of("POD_NAME", "db-0"));
    env.put(name, value);

    assertThatThrownBy(() -> AgentSettings.from(env)).hasMessage(message);
  }
}
