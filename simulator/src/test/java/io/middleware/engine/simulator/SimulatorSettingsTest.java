package io.middleware.engine.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.middleware.engine.agent.EnvironmentVariables;
import io.middleware.engine.simulator.host.HostSettings;
import io.middleware.engine.simulator.host.ImagePrograms;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
        .contains(
            new HostSettings(
                Path.of("/usr/bin/redis-server"), Path.of("/tmp/pods"), ImagePrograms.NONE, true));
  }

  @Test
  void shouldKnowTheProgramsOfImages() {
    var env =
        Map.of(
            "HOST_REDIS_SERVER",
            "/usr/bin/redis-server",
            "HOST_FOLDER",
            "/tmp/pods",
            "HOST_PROGRAMS",
            "redis:7.0=/opt/redis, valkey/valkey:9.0=/opt/valkey-9.0");

    assertThat(settings(env).host().orElseThrow().images())
        .isEqualTo(
            new ImagePrograms(
                Map.of(
                    "redis:7.0",
                    Path.of("/opt/redis"),
                    "valkey/valkey:9.0",
                    Path.of("/opt/valkey-9.0"))));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"redis:7.0", "redis=/opt/redis", "redis:7.0=opt", "redis:7.0=/a,redis:7.0=/b"})
  void shouldRefuseProgramsOfNoImage(String programs) {
    var env =
        Map.of(
            "HOST_REDIS_SERVER",
            "/usr/bin/redis-server",
            "HOST_FOLDER",
            "/tmp/pods",
            "HOST_PROGRAMS",
            programs);

    assertThatThrownBy(() -> settings(env))
        .hasMessage(
            "HOST_PROGRAMS must be pairs IMAGE:TAG=/FOLDER of different images, separated by"
                + " commas, but is '%s'",
            programs);
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
