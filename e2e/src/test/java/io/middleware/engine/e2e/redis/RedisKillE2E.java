package io.middleware.engine.e2e.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.middleware.engine.e2e.Disruptive;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.Engine;
import io.middleware.engine.e2e.Shop;
import io.middleware.engine.e2e.Yaml;
import io.middleware.engine.proof.Proves;
import java.io.IOException;
import java.net.Socket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Real Redis servers that are written to, whose agents die. */
@Proves(plugin = "redis", versions = "redis 7.0", what = "A server goes on when its agent dies.")
@EndToEnd
@Disruptive("kills the agents")
class RedisKillE2E {
  private static final int AGENT_PORT = 9090;

  private final Shop shop;
  private final DeployedRedisGroup group;

  RedisKillE2E(Shop shop) {
    this.shop = shop;
    this.group = new DeployedRedisGroup(shop, "main");
  }

  @BeforeEach
  void deployAndWrite() throws InterruptedException {
    DeployedRedisGroup.assumeReal();
    group.deploy(app());
    group.writer.start();
  }

  @AfterEach
  void close() {
    group.close();
  }

  @Test
  void shouldLeaveRedisAloneWhenTheAgentDies() throws InterruptedException {
    // Given
    var pods = shop.pods("cache");
    var before = pods.stream().map(DeployedRedisGroup::pid).toList();
    // When
    Engine.dev("restart", "simulator", "--kill");
    await("the agent of " + pods.getFirst().getMetadata().getName())
        .until(() -> listens(pods.getFirst().getStatus().getPodIP()));
    // Then
    assertThat(shop.pods("cache").stream().map(DeployedRedisGroup::pid)).isEqualTo(before);
    shop.apply(app().replace("maxmemory: 100mb", "databases: 32"));
    shop.awaitReady("cache");
    group.assertThatNothingIsLost("death of the agents, then a cold change");
  }

  private static boolean listens(String ip) {
    try (var socket = new Socket(ip, AGENT_PORT)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  private Yaml app() {
    return shop.file("plugins/redis/app-replication.yaml");
  }
}
