package io.middleware.engine.agent.redis;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import io.middleware.engine.agent.account.AccountFiles;
import io.middleware.engine.agent.redis.ReplicationState.Address;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A changed password, which has not reached both of two closed Redis servers yet. */
class ChangedPasswordIT {
  private static final String OLD = "old-s3cret";
  private static final String NEW = "new-s3cret";
  private static final String[] CLOSED = {"--masterauth", OLD, "--requirepass", OLD};

  @TempDir private Path folder;
  private final RedisClient client = RedisClient.create();
  private RedisPeer primary;
  private RedisPeer replica;
  private List<RealRedis> processes;
  private AccountFiles accounts;

  @BeforeEach
  void start() throws IOException {
    Files.createDirectories(folder.resolve("mounted/accounts"));
    Files.createDirectories(folder.resolve("memory"));
    accounts =
        new AccountFiles(
            Optional.of(folder.resolve("mounted")), Optional.of(folder.resolve("memory")));
    mount(OLD);
    var port = RealGroup.freePort();
    primary = new RedisPeer("db-0", "127.88.2.1", port);
    replica = new RedisPeer("db-1", "127.88.2.2", port);
    processes =
        List.of(RealRedis.of(primary, folder, CLOSED), RealRedis.of(replica, folder, CLOSED));
    await().ignoreExceptions().until(() -> redis(primary).replicaofNoOne().equals("OK"));
    await()
        .ignoreExceptions()
        .until(() -> redis(replica).replicaof(primary.host(), port).equals("OK"));
  }

  @AfterEach
  void stop() {
    processes.forEach(RealRedis::close);
    client.shutdown();
  }

  @Test
  void shouldTellSentinelOnceAllServersHaveIt() throws IOException {
    var address = new Address("127.88.2.3", RealGroup.freePort());
    var settings = new SentinelSettings(List.of("db"), Map.of("quorum", "1"));
    try (var servers = new RedisServers().with(accounts);
        var process = RealRedis.sentinel(address, folder.resolve("sentinel"))) {
      var watch = watch(address, settings, servers);
      // Given a Sentinel that knows both servers
      await()
          .ignoreExceptions()
          .until(
              () ->
                  watch.maintain()
                      && new SentinelServer(servers, address).replicas("db").size() == 1);
      // When only the primary has it
      accept(primary);
      mount(NEW);
      // Then neither this agent nor one that starts again uses it
      watch.maintain();
      assertThat(toldPassword()).isEqualTo(OLD);
      try (var again = new RedisServers().with(accounts)) {
        watch(address, settings, again).maintain();
      }
      assertThat(toldPassword()).isEqualTo(OLD);
      // When the replica has it, too
      accept(replica);
      // Then
      await()
          .until(
              () -> {
                watch.maintain();
                return toldPassword().equals(NEW);
              });
    }
  }

  @Test
  void shouldReplicateWithTheOldOneUntilThePrimaryHasIt() {
    try (var servers = new RedisServers().with(accounts)) {
      var member = group(replica, servers);
      new RedisAccounts(member, Optional.empty()).follow();
      mount(NEW);
      // When
      new RedisAccounts(member, Optional.empty()).follow();
      // Then
      assertThat(masterauth()).isEqualTo(OLD);
      // When
      accept(primary);
      new RedisAccounts(member, Optional.empty()).follow();
      // Then
      assertThat(masterauth()).isEqualTo(NEW);
    }
  }

  @Test
  void shouldAddItAfterTheAgentHasStartedAgain() {
    // Given
    try (var servers = new RedisServers().with(accounts)) {
      new RedisAccounts(group(primary, servers), Optional.empty()).follow();
    }
    // When
    mount(NEW);
    try (var servers = new RedisServers().with(accounts)) {
      var member = group(primary, servers);
      new GroupMembership(
              member, () -> new MarkFile(Optional.empty(), "db"), InstantSource.system(), false)
          .maintain();
    }
    // Then
    assertThat(redis(primary, NEW).ping()).isEqualTo("PONG");
    await() // the client may lose the connection before it has the reason
        .untilAsserted(
            () ->
                assertThatThrownBy(() -> redis(replica, NEW))
                    .rootCause()
                    .hasMessageContaining("WRONGPASS"));
  }

  private SentinelWatch watch(Address address, SentinelSettings settings, RedisServers servers) {
    var cluster =
        new SentinelWatch.Cluster(
            service ->
                service.equals("db")
                    ? List.of(primary.host(), replica.host())
                    : List.of(address.host()),
            RealGroup.NAMESPACE,
            "sentinels",
            primary.port(),
            servers);
    return new SentinelWatch("sentinel-0", address.host(), address.port(), () -> settings, cluster);
  }

  private RedisGroup group(RedisPeer own, RedisServers servers) {
    var peers = new RealGroup.Fixed(List.of(primary, replica), new AtomicInteger(2));
    return new RedisGroup(RealGroup.identity(own.pod()), own.host(), own.port(), peers, servers);
  }

  private String toldPassword() throws IOException {
    return Files.readAllLines(folder.resolve("sentinel/sentinel.conf")).stream()
        .filter(line -> line.startsWith("sentinel auth-pass db "))
        .map(line -> line.substring(line.lastIndexOf(' ') + 1).replace("\"", ""))
        .collect(joining());
  }

  private String masterauth() {
    return redis(replica).configGet("masterauth").get("masterauth");
  }

  private void accept(RedisPeer peer) {
    redis(peer).aclSetuser("default", AclSetuserArgs.Builder.addPassword(NEW));
  }

  private RedisCommands<String, String> redis(RedisPeer peer) {
    return redis(peer, OLD);
  }

  private RedisCommands<String, String> redis(RedisPeer peer, String password) {
    return client
        .connect(
            RedisURI.builder()
                .withHost(peer.host())
                .withPort(peer.port())
                .withAuthentication("default", password)
                .build())
        .sync();
  }

  private void mount(String password) {
    try {
      Files.writeString(folder.resolve("mounted/accounts/default"), password);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
