package io.middleware.engine.simulator.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ContainerCommandTest {
  private static final Pod POD =
      new PodBuilder()
          .withNewMetadata()
          .withName("db-0")
          .withNamespace("shop")
          .endMetadata()
          .withNewSpec()
          .addNewContainer()
          .withName("agent")
          .endContainer()
          .addNewContainer()
          .withName("redis")
          .withCommand("redis-server", "/etc/redis/redis.conf")
          .withArgs("--bind", "$(POD_IP)", "--dir", "/data", "--maxclients", "$(CLIENTS)")
          .addNewEnv()
          .withName("POD_IP")
          .withNewValueFrom()
          .withNewFieldRef("v1", "status.podIP")
          .endValueFrom()
          .endEnv()
          .addNewEnv()
          .withName("CLIENTS")
          .withValue("10")
          .endEnv()
          .endContainer()
          .endSpec()
          .withNewStatus()
          .withPodIP("127.1.0.7")
          .endStatus()
          .build();

  @Test
  void shouldFillInVariablesAsTheKubeletDoes() {
    // When
    var container = ContainerCommand.container(POD, "redis");
    var command = ContainerCommand.of(container, ContainerCommand.environment(POD, container));
    // Then
    assertThat(command.arguments())
        .containsExactly(
            "redis-server",
            "/etc/redis/redis.conf",
            "--bind",
            "127.1.0.7",
            "--dir",
            "/data",
            "--maxclients",
            "10");
  }

  @Test
  void shouldTranslatePathsOfTheContainer() {
    // Given
    var mounts =
        new MountedVolumes(
            Map.of("/data", Path.of("/v/1"), "/etc/redis", Path.of("/run/1/config")));
    // Then
    assertThat(mounts.toLocalPath("/data")).isEqualTo("/v/1");
    assertThat(mounts.toLocalPath("/etc/redis/redis.conf")).isEqualTo("/run/1/config/redis.conf");
    assertThat(mounts.toLocalPath("/database")).isEqualTo("/database");
    assertThat(mounts.toLocalPath("no")).isEqualTo("no");
  }

  @Test
  void shouldNameAPodThatLacksTheContainer() {
    // Given
    assertThatThrownBy(() -> ContainerCommand.container(POD, "sentinel"))
        .hasMessage("pod shop/db-0 has no container sentinel");
  }
}
