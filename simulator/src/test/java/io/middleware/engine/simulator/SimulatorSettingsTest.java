package io.middleware.engine.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.middleware.engine.agent.EnvironmentVariables;
import io.middleware.engine.simulator.host.HostSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SimulatorSettingsTest {
  @Test
  void shouldServeAllNamespacesUnlessSomeAreNamed() {
    assertThat(settings(Map.of()))
        .isEqualTo(new SimulatorSettings(9090, Optional.empty(), List.of(), Optional.empty()));
    assertThat(settings(Map.of("SIMULATOR_NAMESPACES", "shop, ops,")))
        .isEqualTo(
            new SimulatorSettings(
                9090, Optional.empty(), List.of("shop", "ops"), Optional.empty()));
  }

  @Test
  void shouldHostProcessesWhereThereIsAProgram() {
    var env = Map.of("HOST_REDIS_SERVER", "/usr/bin/redis-server", "HOST_FOLDER", "/tmp/pods");

    assertThat(settings(env).host())
        .contains(new HostSettings(Path.of("/usr/bin/redis-server"), Path.of("/tmp/pods")));
  }

  @Test
  void shouldRefuseAProgramThatContainersDoNotCall() {
    var env = Map.of("HOST_REDIS_SERVER", "/opt/redis-server-7", "HOST_FOLDER", "/tmp/pods");

    assertThatThrownBy(() -> settings(env))
        .hasMessage(
            "HOST_REDIS_SERVER must be an absolute path to a redis-server, but is"
                + " '/opt/redis-server-7'");
  }

  @Test
  void shouldNeedAFolderForTheProgram() {
    assertThatThrownBy(() -> settings(Map.of("HOST_REDIS_SERVER", "/usr/bin/redis-server")))
        .hasMessage("HOST_FOLDER must be the folder for the files of the pods, but is ''");
  }

  private static SimulatorSettings settings(Map<String, String> env) {
    return SimulatorSettings.from(new EnvironmentVariables(env));
  }
}
