package io.middleware.engine.agent.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real Redis that answers with errors still has its role and its data. */
class RedisErrorReplyIT {
  @TempDir private Path folder;
  private RealGroup group;

  @BeforeEach
  void start() throws IOException {
    group = new RealGroup(folder, Optional.empty());
  }

  @AfterEach
  void stop() {
    group.close();
  }

  @Test
  void shouldSwitchAPrimaryOverThatRefusesWrites() throws Exception {
    // Given
    group.redis(0).configSet("save", "3600 1");
    blockSnapshots();
    group.redis(0).set("key", "value");
    group.redis(0).bgsave();
    await()
        .untilAsserted(
            () ->
                assertThatThrownBy(() -> group.redis(0).set("a", "b"))
                    .hasMessageContaining("MISCONF"));
    assertThat(group.drivers.get(0).role().name()).isEqualTo("PRIMARY");
    assertThat(group.drivers.get(1).primary()).contains("db-0");
    // When
    var primary = group.drivers.get(0).switchover(Optional.empty(), (message, percent) -> {});
    // Then
    assertThat(primary).contains("db-1");
    assertThat(group.redis(1).set("a", "b")).isEqualTo("OK");
  }

  @Test
  void shouldTellAReplicaThatServesNoStaleDataFromSilence() throws Exception {
    // Given
    group.redis(1).configSet("replica-serve-stale-data", "no");
    // When
    group.processes.get(0).kill();
    // Then
    await()
        .untilAsserted(
            () ->
                assertThatThrownBy(() -> group.redis(1).ping()).hasMessageContaining("MASTERDOWN"));
    assertThat(group.drivers.get(1).role().name()).isEqualTo("REPLICA");
  }

  @Test
  void shouldNotTakeAnErrorForAPodWithoutData() {
    // Given
    group.redis(0).set("key", "value");
    group.redis(0).configSet("requirepass", "x");
    group.servers.at(group.peers.get(0).address()).disconnect();
    // Then
    assertThatThrownBy(others(group.peers.subList(0, 2))::haveData)
        .hasMessageContaining("UNAVAILABLE")
        .hasMessageContaining("NOAUTH");
  }

  @Test
  void shouldNotTakeALostConnectionForAPodWithoutData() throws IOException {
    // Given somebody who accepts connections and says nothing
    try (var listener = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      Thread.startVirtualThread(() -> hangUp(listener));
      var peers = List.of(new RedisPeer("db-0", "127.0.0.1", listener.getLocalPort()));
      // Then
      assertThatThrownBy(others(peers)::haveData).hasMessageContaining("UNAVAILABLE");
    }
  }

  @Test
  void shouldTakeAPodThatNobodyReachesForOneWithoutData() throws IOException {
    var free = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
    free.close();
    var peers = List.of(new RedisPeer("db-0", "127.0.0.1", free.getLocalPort()));
    assertThat(others(peers).haveData()).isFalse();
  }

  private OtherPods others(List<RedisPeer> peers) {
    return new OtherPods(
        RealGroup.identity("db-1"), new RealGroup.Fixed(peers, group.expected), group.servers);
  }

  private static void hangUp(ServerSocket listener) {
    try {
      for (; ; ) {
        listener.accept().close();
      }
    } catch (IOException closed) {
      return; // with the test
    }
  }

  /** Redis cannot replace a folder. */
  private void blockSnapshots() throws IOException {
    Files.deleteIfExists(own("dump.rdb"));
    Files.createDirectories(own("dump.rdb/in-the-way"));
  }

  private Path own(String file) {
    return folder.resolve("db-0").resolve(file);
  }
}
