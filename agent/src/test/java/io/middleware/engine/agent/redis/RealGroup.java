package io.middleware.engine.agent.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import io.middleware.engine.agent.account.AccountFiles;
import io.middleware.engine.agent.replication.ReplicationRole;
import io.middleware.engine.agent.store.StoreFiles;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Three real Redis servers, {@code db-0} to {@code db-2}, with their agents. */
final class RealGroup implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RealGroup.class);

  static final int SIZE = 3;
  static final String NAMESPACE = "shop";

  /** The desired number of pods. */
  final AtomicInteger expected = new AtomicInteger(SIZE);

  final RedisServers servers;
  final List<RealRedis> processes = new ArrayList<>();
  final List<RedisPeer> peers = new ArrayList<>();
  final List<RedisDriver> drivers = new ArrayList<>();
  private final RedisClient client = RedisClient.create();
  private final ScheduledExecutorService scheduler = Executors.newScheduledThreadPool(SIZE);

  /** Returns when number 0 is primary and the others follow it. */
  RealGroup(Path folder) throws IOException {
    this(folder, Optional.empty());
  }

  /**
   * @param options of each Redis, more than those of the Plugin
   */
  RealGroup(Path folder, Optional<StoreFiles> backups, String... options) throws IOException {
    this(folder, AccountFiles.NONE, backups, options);
  }

  /**
   * @param accounts of which the agents know the passwords, and their servers do not
   */
  RealGroup(Path folder, AccountFiles accounts, Optional<StoreFiles> backups, String... options)
      throws IOException {
    this.servers = new RedisServers().with(accounts);
    var port = freePort();
    for (var i = 0; i < SIZE; i++) {
      peers.add(new RedisPeer("db-" + i, "127.88.0." + (i + 1), port));
    }
    for (var peer : peers) {
      processes.add(RealRedis.of(peer, folder, options));
      var identity = identity(peer.pod());
      var group =
          new RedisGroup(identity, peer.host(), peer.port(), new Fixed(peers, expected), servers);
      var data = Optional.of(folder.resolve(peer.pod()));
      var mark = new MarkFile(data, identity.group());
      var membership = new GroupMembership(group, () -> mark, InstantSource.system(), false);
      scheduler.scheduleWithFixedDelay(() -> maintain(membership), 0, 100, TimeUnit.MILLISECONDS);
      drivers.add(new RedisDriver(group, data, backups));
    }
    client.setOptions(ClientOptions.builder().autoReconnect(false).build());
    awaitPrimary(0);
    await()
        .untilAsserted(
            () ->
                assertThat(redis(0).info("replication"))
                    .containsPattern("(?s)state=online.*state=online"));
  }

  /** As the agent does it. */
  private static void maintain(GroupMembership membership) {
    try {
      membership.maintain();
    } catch (RuntimeException e) {
      LOG.atWarn().setCause(e).log("maintenance failed; retrying");
    }
  }

  static RedisIdentity identity(String pod) {
    return new RedisIdentity(NAMESPACE, pod, "uid-of-" + pod);
  }

  static int freePort() throws IOException {
    try (var free = new ServerSocket(0, 1, InetAddress.getByName("127.88.0.1"))) {
      return free.getLocalPort();
    }
  }

  void awaitPrimary(int number) {
    awaitPrimary(number, Duration.ofMinutes(1));
  }

  void awaitPrimary(int number, Duration atMost) {
    await()
        .atMost(atMost)
        .ignoreExceptions()
        .untilAsserted(
            () -> {
              assertThat(drivers.get(number).role()).isEqualTo(ReplicationRole.PRIMARY);
              assertThat(redis(number).info("replication")).contains("connected_slaves:2");
              assertThat(drivers.get(2).primary()).isEqualTo(Optional.of("db-" + number));
            });
  }

  /** Waits for a primary other than this number and returns its number. */
  int awaitPrimaryBut(int number) {
    return await()
        .ignoreExceptions()
        .until(
            () ->
                IntStream.range(0, SIZE)
                    .filter(other -> other != number)
                    .filter(other -> drivers.get(other).role() == ReplicationRole.PRIMARY)
                    .findFirst(),
            OptionalInt::isPresent)
        .getAsInt();
  }

  RedisCommands<String, String> redis(int number) {
    var peer = peers.get(number);
    var uri = RedisURI.builder().withHost(peer.host()).withPort(peer.port());
    servers
        .accounts()
        .engine()
        .ifPresent(it -> uri.withAuthentication(AccountFiles.ENGINE, it.text()));
    return client.connect(uri.build()).sync();
  }

  @Override
  public void close() {
    scheduler.shutdownNow();
    processes.forEach(RealRedis::close);
    servers.close();
    client.shutdown();
  }

  record Fixed(List<RedisPeer> present, AtomicInteger desired) implements GroupPeers {
    @Override
    public int expected() {
      return desired.get();
    }
  }
}
