package io.middleware.engine.agent.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslOptions;
import io.lettuce.core.SslVerifyMode;
import io.lettuce.core.api.sync.RedisCommands;
import io.middleware.engine.agent.redis.ReplicationState.Address;
import io.middleware.engine.agent.replication.ReplicationRole;
import io.middleware.engine.agent.tls.CertificateFiles;
import io.middleware.engine.agent.tls.TestAuthority;
import io.middleware.engine.agent.tls.TestAuthority.Issued;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A group of real Redis servers that gets certificates while clients use it. */
class RedisTlsIT {
  private static final int SIZE = 3;
  private static final String NOTE = ".closed-to-plain";
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @TempDir private Path folder;
  private final List<RedisPeer> peers = new ArrayList<>();
  private final Node[] nodes = new Node[SIZE];
  private final RedisClient client = RedisClient.create();
  private Path mounted;
  private TestAuthority authority;

  /** A pod: its Redis, as the Plugin starts it, and its agent. */
  private final class Node implements AutoCloseable {
    private final RealRedis process;
    private final RedisServers servers;
    private final RedisDriver driver;
    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();

    Node(int number, boolean tls) {
      var peer = peers.get(number);
      var data = folder.resolve(peer.pod());
      process = RealRedis.of(peer, folder, options(peer, data, tls));
      servers = new RedisServers().by(tls ? Optional.of(mounted) : Optional.empty());
      var identity = RealGroup.identity(peer.pod());
      var fixed = new RealGroup.Fixed(peers, new AtomicInteger(SIZE));
      var group = new RedisGroup(identity, peer.host(), peer.port(), fixed, servers);
      var mark = new MarkFile(Optional.of(data), identity.group());
      var membership = new GroupMembership(group, () -> mark, InstantSource.system(), false);
      scheduler.scheduleWithFixedDelay(membership::maintain, 0, 100, TimeUnit.MILLISECONDS);
      driver = new RedisDriver(group, Optional.of(data), Optional.empty());
    }

    private String[] options(RedisPeer peer, Path data, boolean tls) {
      var options = new ArrayList<String>();
      if (tls) {
        options.addAll(tlsOptions(peer.port()));
      }
      if (Files.exists(data.resolve(NOTE))) {
        options.addAll(List.of("--port", "0", "--tls-replication", "yes"));
      }
      return options.toArray(String[]::new);
    }

    void reload(String mode) {
      try {
        driver.reload(
            Map.of("tls", mode, "certificate", "cache/tls@1", "timeout", "0"),
            (message, percent) -> {});
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void close() {
      scheduler.close();
      process.close();
      servers.close();
    }
  }

  private List<String> tlsOptions(int port) {
    return List.of(
        "--tls-port",
        String.valueOf(port + 1),
        "--tls-cert-file",
        mounted.resolve("tls.crt").toString(),
        "--tls-key-file",
        mounted.resolve("tls.key").toString(),
        "--tls-ca-cert-file",
        mounted.resolve("ca.crt").toString(),
        "--tls-auth-clients",
        "no");
  }

  @BeforeEach
  void prepare() throws IOException {
    mounted = Files.createDirectories(folder.resolve("mounted"));
    authority = new TestAuthority(folder);
    mount(authority.issue(), authority.certificate());
    var trust = mounted.resolve("ca.crt").toFile();
    client.setOptions(
        ClientOptions.builder()
            .autoReconnect(false)
            .sslOptions(SslOptions.builder().jdkSslProvider().trustManager(trust).build())
            .build());
    var port = RealGroup.freePort();
    for (var i = 0; i < SIZE; i++) {
      peers.add(new RedisPeer("db-" + i, "127.88.2." + (i + 1), port));
    }
  }

  @AfterEach
  void stop() {
    client.shutdown();
    for (var node : nodes) {
      if (node != null) {
        node.close();
      }
    }
  }

  @Test
  void shouldRefuseNobodyUntilAllPodsOfferTls() throws Exception {
    // Given a group in clear
    start(false);
    // When its pods are replaced, the primary at last
    replace(2);
    awaitGroup(0);
    replace(1);
    awaitGroup(0);
    nodes[0].driver.switchover(Optional.of("db-1"), (message, percent) -> {});
    replace(0);
    awaitGroup(1);
    // Then both ways lead to each of them
    forEachNode(
        number -> {
          assertThat(inClear(number).ping()).isEqualTo("PONG");
          assertThat(byTls(number).ping()).isEqualTo("PONG");
        });
    // When
    inClear(1).set("a", "1");
    forEachNode(number -> nodes[number].reload("only"));
    // Then
    awaitGroup(1);
    forEachNode(number -> assertThatThrownBy(() -> inClear(number)).rootCause().isNotNull());
    assertThat(byTls(1).get("a")).isEqualTo("1");
    assertThat(byTls(0).info("replication")).contains("master_port:" + (port() + 1));
  }

  @Test
  void shouldDoAllByTlsInAClosedGroup() throws Exception {
    // Given
    start(true);
    close();
    byTls(0).set("a", "1");
    // When
    nodes[0].driver.switchover(Optional.of("db-1"), (message, percent) -> {});
    // Then
    awaitGroup(1);
    byTls(1).set("b", "2");
    assertThat(byTls(1).waitForReplication(2, PATIENCE.toMillis())).isEqualTo(2);
    try (var data = RdbStream.open(server(1), "")) {
      assertThat(data.readAllBytes()).isNotEmpty();
    }
    // When
    replace(2);
    // Then
    awaitGroup(1);
    assertThatThrownBy(() -> inClear(2)).rootCause().isNotNull();
    // When
    forEachNode(number -> nodes[number].reload("both"));
    // Then
    awaitGroup(1);
    forEachNode(number -> assertThat(inClear(number).ping()).isEqualTo("PONG"));
  }

  @Test
  void shouldJoinFromAnEmptyVolumeBeforeTheOthersHaveACertificate() throws Exception {
    // Given
    start(false);
    nodes[2].close();
    var note = folder.resolve("db-2").resolve(NOTE);
    // When
    Files.writeString(note, "new\n");
    nodes[2] = new Node(2, true);
    // Then
    awaitGroup(0);
    assertThat(inClear(2).ping()).isEqualTo("PONG");
    assertThat(note).doesNotExist();
  }

  @Test
  void shouldFollowARenewedCertificateAndGoOnWithTheEarlierOneOtherwise() throws Exception {
    // Given
    start(true);
    close();
    var first = served(0);
    // When
    mount(authority.issue(), authority.certificate());
    // Then
    forEachNode(number -> await().until(() -> !served(number).equals(first)));
    // When the key is that of another certificate
    var renewed = served(0);
    mount(
        new Issued(authority.issue().certificate(), authority.issue().key()),
        authority.certificate());
    // Then
    await()
        .untilAsserted(
            () -> assertThat(nodes[0].driver.trouble().orElse("")).contains("correct tls.crt"));
    assertThat(served(0)).isEqualTo(renewed);
    awaitGroup(0);
    // When
    mount(authority.issue(), authority.certificate());
    // Then
    await().until(() -> nodes[0].driver.trouble().isEmpty() && !served(0).equals(renewed));
  }

  @Test
  void shouldChangeTheAuthorityInThreeSteps() throws Exception {
    // Given
    start(true);
    close();
    var next = new TestAuthority(folder);
    var both = authority.certificate() + next.certificate();
    // When all trust both, then show a certificate of the other one, then trust that only
    mountAndAwait(authority.issue(), both);
    mountAndAwait(next.issue(), both);
    mountAndAwait(next.issue(), next.certificate());
    // Then
    byTls(0).set("a", "1");
    assertThat(byTls(0).waitForReplication(2, PATIENCE.toMillis())).isEqualTo(2);
    nodes[0].driver.switchover(Optional.of("db-2"), (message, percent) -> {});
    awaitGroup(2);
  }

  @Test
  void shouldFailOverBySentinelsByTls() throws Exception {
    // Given
    start(true);
    var address = new Address("127.88.2.9", RealGroup.freePort());
    var scheduler = Executors.newSingleThreadScheduledExecutor();
    try (var servers = new RedisServers().by(Optional.of(mounted));
        var process =
            RealRedis.sentinel(address, folder.resolve("sentinel"), ofSentinel(address))) {
      var watch = watch(address, servers);
      scheduler.scheduleWithFixedDelay(watch::maintain, 0, 500, TimeUnit.MILLISECONDS);
      var sentinel = new SentinelServer(servers, address);
      await()
          .atMost(PATIENCE)
          .ignoreExceptions()
          .untilAsserted(
              () ->
                  assertThat(sentinel.replicas("db"))
                      .containsExactlyInAnyOrder(reached(1), reached(2)));
      close();
      // When
      nodes[0].close();
      // Then
      await()
          .atMost(PATIENCE)
          .ignoreExceptions()
          .until(() -> role(1) == ReplicationRole.PRIMARY || role(2) == ReplicationRole.PRIMARY);
    } finally {
      scheduler.shutdownNow();
    }
  }

  @Test
  void shouldNotLockOutSentinelsWithoutTls() throws Exception {
    // Given
    start(true);
    var address = new Address("127.88.2.9", RealGroup.freePort());
    var scheduler = Executors.newSingleThreadScheduledExecutor();
    try (var servers = new RedisServers();
        var process = RealRedis.sentinel(address, folder.resolve("sentinel"))) {
      var watch = watch(address, servers);
      scheduler.scheduleWithFixedDelay(watch::maintain, 0, 500, TimeUnit.MILLISECONDS);
      await().ignoreExceptions().until(() -> server(0).portsOfSentinels().contains(port()));
      // When
      assertThatThrownBy(() -> nodes[0].reload("only"))
          .hasMessageContaining("give the component of type sentinel a certificate first");
      // Then
      assertThat(inClear(0).ping()).isEqualTo("PONG");
    } finally {
      scheduler.shutdownNow();
    }
  }

  @Test
  void shouldFormANewGroupThatIsClosedFromTheBeginning() throws Exception {
    // Given
    for (var peer : peers) {
      Files.writeString(Files.createDirectories(folder.resolve(peer.pod())).resolve(NOTE), "new");
    }
    // When
    start(true);
    // Then
    forEachNode(
        number ->
            await()
                .untilAsserted(
                    () ->
                        assertThat(folder.resolve("db-" + number).resolve(NOTE))
                            .hasContent("uid-of-db-" + number)));
    forEachNode(number -> assertThatThrownBy(() -> inClear(number)).rootCause().isNotNull());
  }

  private String[] ofSentinel(Address address) {
    var options = new ArrayList<>(tlsOptions(address.port()));
    options.addAll(List.of("--tls-replication", "yes"));
    return options.toArray(String[]::new);
  }

  private SentinelWatch watch(Address address, RedisServers servers) {
    var settings =
        new SentinelSettings(
            List.of("db"), Map.of("quorum", "1", "down-after-milliseconds", "3000"));
    var hosts = peers.stream().map(RedisPeer::host).toList();
    var cluster =
        new SentinelWatch.Cluster(
            service -> service.equals("db") ? hosts : List.of(address.host()),
            RealGroup.NAMESPACE,
            "sentinels",
            port(),
            servers);
    return new SentinelWatch("sentinel-0", address.host(), address.port(), () -> settings, cluster);
  }

  private SentinelServer.KnownInstance reached(int number) {
    return new SentinelServer.KnownInstance(peers.get(number).address(), false);
  }

  private void start(boolean tls) {
    forEachNode(number -> nodes[number] = new Node(number, tls));
    awaitGroup(0);
  }

  private void close() {
    forEachNode(number -> nodes[number].reload("only"));
    awaitGroup(0);
  }

  /** By one with a certificate. */
  private void replace(int number) {
    nodes[number].close();
    nodes[number] = new Node(number, true);
  }

  private void awaitGroup(int primary) {
    await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .untilAsserted(
            () -> {
              assertThat(role(primary)).isEqualTo(ReplicationRole.PRIMARY);
              assertThat(server(primary).replication().followers())
                  .hasSize(2)
                  .allMatch(ReplicationState.Follower::online);
              assertThat(nodes[(primary + 1) % SIZE].driver.primary()).contains("db-" + primary);
            });
  }

  private void mountAndAwait(Issued certificate, String trusted) throws IOException {
    mount(certificate, trusted);
    forEachNode(
        number ->
            await()
                .ignoreExceptions()
                .untilAsserted(
                    () ->
                        assertThat(served(number).getEncoded())
                            .isEqualTo(
                                java.security.cert.CertificateFactory.getInstance("X.509")
                                    .generateCertificate(
                                        Files.newInputStream(mounted.resolve("tls.crt")))
                                    .getEncoded())));
    server(0)
        .call(
            io.lettuce.core.protocol.CommandType.CLIENT,
            new io.lettuce.core.output.IntegerOutput<>(io.lettuce.core.codec.StringCodec.UTF8),
            "KILL",
            "TYPE",
            "replica");
    awaitGroup(0);
  }

  private ReplicationRole role(int number) {
    return nodes[number].driver.role();
  }

  private RedisServer server(int number) {
    return nodes[number].servers.at(peers.get(number).address());
  }

  private int port() {
    return peers.getFirst().port();
  }

  private Certificate served(int number) {
    var peer = peers.get(number);
    try (var socket =
        (SSLSocket) new CertificateFiles(mounted).sockets().createSocket(peer.host(), port() + 1)) {
      return socket.getSession().getPeerCertificates()[0];
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private RedisCommands<String, String> inClear(int number) {
    return client.connect(RedisURI.create(peers.get(number).host(), port())).sync();
  }

  private RedisCommands<String, String> byTls(int number) {
    var uri =
        RedisURI.builder()
            .withHost(peers.get(number).host())
            .withPort(port() + 1)
            .withSsl(true)
            .withVerifyPeer(SslVerifyMode.CA);
    return client.connect(uri.build()).sync();
  }

  private static void forEachNode(java.util.function.IntConsumer action) {
    IntStream.range(0, SIZE).forEach(action);
  }

  private void mount(Issued certificate, String trusted) throws IOException {
    Files.writeString(mounted.resolve("tls.crt"), certificate.certificate());
    Files.writeString(mounted.resolve("tls.key"), certificate.key());
    Files.writeString(mounted.resolve("ca.crt"), trusted);
  }
}
