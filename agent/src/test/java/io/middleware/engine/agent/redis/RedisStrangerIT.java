package io.middleware.engine.agent.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import io.middleware.engine.agent.replication.ReplicationMark.Standing;
import io.middleware.engine.agent.replication.ReplicationRole;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real Redis servers, next to one of another group, and with a primary that nobody asked for. */
class RedisStrangerIT {
  private static final Duration SECONDS = Duration.ofMinutes(1);

  @TempDir private Path folder;
  private final RedisClient client = RedisClient.create();
  private RealGroup group;
  private RedisPeer other;
  private RealRedis stranger;

  @BeforeEach
  void start() throws IOException {
    group = new RealGroup(folder);
    group.redis(0).set("own", "own");
    other = new RedisPeer("other-0", "127.88.2.1", RealGroup.freePort());
    stranger = RealRedis.of(other, folder);
    await().ignoreExceptions().until(() -> other(), redis -> redis.replicaofNoOne() != null);
    other().set("foreign", "foreign");
  }

  @AfterEach
  void stop() {
    stranger.close();
    client.shutdown();
    group.close();
  }

  @Test
  void shouldLeaveTheRedisOfAnotherGroup() {
    // When
    group.redis(2).replicaof(other.host(), other.port());
    // Then
    await()
        .atMost(SECONDS)
        .untilAsserted(
            () -> {
              assertThat(group.redis(2).get("own")).isEqualTo("own");
              assertThat(group.redis(2).get("foreign")).isNull();
              assertThat(followers(other())).contains("connected_slaves:0");
            });
  }

  @Test
  void shouldLeaveARedisThatAnEarlierPluginStartedForAnotherGroup() throws IOException {
    // Given a Redis without a name, which announces its address
    stranger.stop();
    stranger = RealRedis.of(other, folder, "--syslog-ident", "redis");
    await().ignoreExceptions().until(() -> other(), redis -> redis.replicaofNoOne() != null);
    // When
    group.redis(2).replicaof(other.host(), other.port());
    // Then
    await()
        .atMost(SECONDS)
        .untilAsserted(() -> assertThat(followers(group.redis(2))).contains("127.88.0.1"));
  }

  @Test
  void shouldNeverGoOnWithTheDataOfAnotherGroup() {
    // Given a primary that is gone, so that nothing can take the place of foreign data
    group.processes.get(0).stop();
    group.redis(2).replicaof(other.host(), other.port());
    // Then
    await()
        .atMost(SECONDS)
        .untilAsserted(
            () -> {
              assertThat(followers(other())).contains("connected_slaves:0");
              assertThat(followers(group.redis(2))).contains("master_host:127.0.0.1");
            });
    // When
    group.processes.get(1).stop();
    group.processes.get(2).stop();
    group.processes.forEach(RealRedis::start);
    // Then
    await()
        .atMost(SECONDS)
        .ignoreExceptions()
        .untilAsserted(
            () -> {
              assertThat(group.redis(2).get("own")).isEqualTo("own");
              assertThat(group.redis(2).get("foreign")).isNull();
              assertThat(group.drivers.get(2).group().own().mark().standing())
                  .isEqualTo(Standing.FOLLOWING);
            });
  }

  @Test
  void shouldFollowNobodyWhenThePrimaryIsGone() {
    // When
    group.processes.get(0).kill();
    // Then no Redis that gets its address gets replicas with it
    await()
        .atMost(SECONDS)
        .untilAsserted(
            () -> assertThat(followers(group.redis(1))).contains("master_host:127.0.0.1"));
  }

  @Test
  void shouldComeBackToOnePrimary() {
    // When
    group.redis(1).replicaofNoOne();
    group.redis(1).set("lost", "lost");
    // Then
    await()
        .atMost(SECONDS)
        .untilAsserted(
            () -> assertThat(group.drivers.get(1).role()).isEqualTo(ReplicationRole.REPLICA));
    group.awaitPrimary(0);
    assertThat(group.redis(1).get("own")).isEqualTo("own");
  }

  @Test
  void shouldPreferThePrimaryThatReplacedAnother() {
    // Given a primary that does not answer while a person makes another one
    group.processes.get(0).freeze();
    group.redis(1).replicaofNoOne();
    await().atMost(SECONDS).until(() -> group.drivers.get(1).group().own().isEstablished());
    group.redis(1).set("kept", "kept");
    // When
    group.processes.get(0).thaw();
    // Then
    group.awaitPrimary(1, SECONDS);
    assertThat(group.redis(1).get("kept")).isEqualTo("kept");
  }

  private RedisCommands<String, String> other() {
    return client.connect(RedisURI.create(other.host(), other.port())).sync();
  }

  private static String followers(RedisCommands<String, String> redis) {
    return redis.info("replication");
  }
}
