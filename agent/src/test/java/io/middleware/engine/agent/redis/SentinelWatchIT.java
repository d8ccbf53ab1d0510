package io.middleware.engine.agent.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.middleware.engine.agent.redis.ReplicationState.Address;
import io.middleware.engine.agent.redis.SentinelServer.KnownInstance;
import io.middleware.engine.agent.redis.SentinelServer.MonitoredGroup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Three real Sentinels and three real Redis servers, all with their agents. */
@Execution(ExecutionMode.CONCURRENT)
class SentinelWatchIT {
  private static final int SIZE = 3;
  private static final String GROUP = "db";
  private static final String SENTINELS = "sentinels";
  private static final SentinelSettings SETTINGS =
      new SentinelSettings(
          List.of(GROUP), Map.of("quorum", "2", "down-after-milliseconds", "3000"));
  private static final Duration PATIENCE = Duration.ofMinutes(4);

  @TempDir private Path folder;
  private final Map<String, List<String>> services = new ConcurrentHashMap<>();
  private final AtomicReference<SentinelSettings> settings = new AtomicReference<>(SETTINGS);
  private SentinelWatch.Cluster cluster;
  private int port;
  private RealGroup group;
  private final ScheduledExecutorService scheduler = Executors.newScheduledThreadPool(SIZE);
  private final List<RealRedis> processes = new ArrayList<>();
  private final List<SentinelServer> sentinels = new ArrayList<>();
  private final List<SentinelWatch> watches = new ArrayList<>();
  private final List<SentinelDriver> drivers = new ArrayList<>();

  @BeforeEach
  void start() throws IOException {
    group = new RealGroup(folder);
    services.put(GROUP, group.peers.stream().map(RedisPeer::host).toList());
    services.put(SENTINELS, List.of("127.88.1.1", "127.88.1.2", "127.88.1.3"));
    cluster =
        new SentinelWatch.Cluster(
            services::get,
            RealGroup.NAMESPACE,
            SENTINELS,
            group.peers.getFirst().port(),
            group.servers);
    port = RealGroup.freePort();
    for (var i = 0; i < SIZE; i++) {
      var name = "sentinel-" + i;
      var address = new Address(services.get(SENTINELS).get(i), port);
      processes.add(RealRedis.sentinel(address, folder.resolve(name)));
      var watch = new SentinelWatch(name, address.host(), port, settings::get, cluster);
      scheduler.scheduleWithFixedDelay(watch::maintain, 100L * i, 1000, TimeUnit.MILLISECONDS);
      sentinels.add(new SentinelServer(group.servers, address));
      watches.add(watch);
      drivers.add(new SentinelDriver(watch));
    }
    awaitAgreement(0);
  }

  @AfterEach
  void stop() {
    scheduler.shutdownNow();
    processes.forEach(RealRedis::close);
    group.close();
  }

  @Test
  void shouldPointAllSentinelsAtTheNewPrimaryAlsoAfterTheirOwnFailover()
      throws InterruptedException {
    // Given a primary that lives but does not answer: the agents wait, Sentinel fails over
    group.processes.get(0).freeze();
    await().atMost(PATIENCE).ignoreExceptions().until(() -> primaryOf(sentinels.get(2)) != 0);
    var chosen = primaryOf(sentinels.get(2));
    awaitAgreement(chosen);
    group.processes.get(0).thaw();
    group.awaitPrimary(
        chosen, PATIENCE); // Sentinel waits before it makes the old primary a replica
    // When
    group.drivers.get(chosen).switchover(Optional.empty(), (message, percent) -> {});
    // Then
    awaitAgreement(group.awaitPrimaryBut(chosen));
  }

  @Test
  void shouldKeepAPrimaryThatTakesNoWritesWhileItsDataAreMadeDurable() throws Exception {
    // Given a snapshot that takes much longer than a primary may be silent
    for (var key = 0; key < 60; key++) {
      group.redis(0).set("key-" + key, "value");
    }
    group.redis(0).configSet("rdb-key-save-delay", "200000");
    // When
    group.drivers.get(0).persist(true, (message, percent) -> {});
    // Then it is the primary, also while its process does not end at once
    await()
        .during(Duration.ofSeconds(10))
        .atMost(PATIENCE)
        .ignoreExceptions() // a server may take too long to answer
        .untilAsserted(
            () -> {
              assertThat(group.redis(0).info("replication")).contains("role:master");
              assertThat(sentinels)
                  .extracting(SentinelWatchIT::monitoredHost)
                  .containsOnly(host(0));
            });
  }

  @Test
  void shouldSayThatTooFewSentinelsAreLeftAndGoOnServing() {
    // When
    processes.get(2).stop();
    // Then
    await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .until(
            () -> sentinels.get(0).otherSentinels(GROUP).stream().anyMatch(KnownInstance::isDown));
    await().atMost(PATIENCE).until(() -> drivers.get(0).trouble().isEmpty());
    // When
    processes.get(1).stop();
    // Then
    await().atMost(PATIENCE).until(() -> drivers.get(0).trouble().isPresent());
    assertThat(drivers.get(0).trouble().orElseThrow())
        .startsWith("it cannot fail group db over: ")
        .contains("NOQUORUM");
    await().atMost(PATIENCE).until(() -> watches.get(0).maintain());
  }

  @Test
  void shouldApplyOptionsAndKeepThem() {
    // When
    var inForce = drivers.get(1).reload(Map.of("quorum", "3"), (message, percent) -> {});
    // Then
    assertThat(inForce).containsExactly(Map.entry("quorum", "3"));
    await()
        .during(Duration.ofMillis(1500)) // at least one check
        .untilAsserted(
            () ->
                assertThat(monitored(sentinels.get(1)).fields())
                    .containsEntry("quorum", "3")
                    .containsEntry("down-after-milliseconds", "3000"));
  }

  /** A reload comes first, and the file of the pod a minute later. */
  @Test
  void shouldMonitorTheGroupsOfAReloadAndNoOthers() throws IOException {
    // Given another group that has no primary yet
    var peer = new RedisPeer("more-0", "127.88.0.9", group.peers.getFirst().port());
    services.put("more", List.of(peer.host()));
    // When Then
    assertThatThrownBy(() -> reload(0, "db more"))
        .hasMessageContaining("sentinel-0 does not monitor all its groups yet")
        .hasMessageContaining("waits for a primary of more");
    // When it has one
    startAlone(peer);
    // Then
    for (var i = 0; i < SIZE; i++) {
      var number = i;
      assertThat(await().ignoreExceptions().until(() -> reload(number, "db more"), it -> true))
          .isEqualTo("db more");
      assertThat(groupsOf(number)).containsOnly("db", "more");
    }
    // When it is to go, and the file still has it
    settings.set(SETTINGS.with(Map.of("monitor", "db more")));
    // Then
    assertThat(reload(1, "db")).isEqualTo("db");
    assertThat(watches.get(1).maintain()).isTrue();
    assertThat(groupsOf(1)).containsOnly("db");
    // When an agent has started again since, and the file is written at last
    var sentinel = services.get(SENTINELS).get(1);
    var again = new SentinelWatch("sentinel-1", sentinel, port, settings::get, cluster);
    await().until(() -> again.maintain() && groupsOf(1).contains("more"));
    settings.set(SETTINGS);
    // Then
    assertThat(again.maintain()).isTrue();
    assertThat(groupsOf(1)).containsOnly("db");
  }

  private String reload(int number, String groups) {
    return drivers
        .get(number)
        .reload(Map.of("monitor", groups), (message, percent) -> {})
        .get("monitor");
  }

  private Set<String> groupsOf(int number) {
    return sentinels.get(number).monitoredGroups().keySet();
  }

  /** A group of one pod. */
  private void startAlone(RedisPeer peer) throws IOException {
    processes.add(RealRedis.of(peer, folder));
    var identity = RealGroup.identity(peer.pod());
    var alone =
        new RedisGroup(
            identity,
            peer.host(),
            peer.port(),
            new RealGroup.Fixed(List.of(peer), new AtomicInteger(1)),
            group.servers);
    var mark = new MarkFile(Optional.of(folder.resolve(peer.pod())), identity.group());
    var membership = new GroupMembership(alone, () -> mark, InstantSource.system(), false);
    await().ignoreExceptions().until(() -> membership.maintain());
  }

  @Test
  void shouldForgetAReplicaAndASentinelThatNoLongerExist() {
    // When
    group.processes.get(2).stop();
    processes.get(2).stop();
    // Then not before the Services lose them
    await().during(Duration.ofSeconds(6)).atMost(PATIENCE).until(() -> knows(2, 2));
    services.computeIfPresent(GROUP, (name, hosts) -> hosts.subList(0, 2));
    services.computeIfPresent(SENTINELS, (name, hosts) -> hosts.subList(0, 2));
    await().until(() -> knows(1, 1));
  }

  @Test
  void shouldMakeNoReplicaOfARedisThatTakesTheAddressOfAReplica() throws IOException {
    // Given a Redis without data of this group, at the address of number 2, which is gone
    var address = group.peers.get(2);
    group.processes.get(2).kill();
    var stranger = new RedisPeer("other-0", address.host(), address.port());
    try (var process = RealRedis.of(stranger, folder)) {
      assertThat(process).isNotNull();
      await().ignoreExceptions().until(() -> group.redis(2).replicaofNoOne() != null);
      group.redis(2).set("theirs", "theirs");
      // Then for longer than Sentinel leaves a primary alone that it knows as a replica
      await()
          .during(Duration.ofSeconds(25))
          .atMost(PATIENCE)
          .ignoreExceptions()
          .untilAsserted(
              () -> {
                assertThat(group.redis(2).info("replication")).contains("role:master");
                assertThat(group.redis(2).get("theirs")).isEqualTo("theirs");
              });
      assertThat(sentinels).allSatisfy(one -> assertThat(one.replicas(GROUP)).hasSize(1));
    }
  }

  @Test
  void shouldComeBackToThePrimaryThatNobodyReplaced() {
    // When a person makes a second primary
    group.redis(1).replicaofNoOne();
    // Then
    group.awaitPrimary(0, PATIENCE);
    awaitAgreement(0);
  }

  @Test
  void shouldNotMonitorARedisThatTakesTheAddressOfThePrimary() throws IOException {
    // Given
    var address = group.peers.get(0);
    group.redis(0).set("own", "own");
    group.processes.get(0).kill();
    var stranger = new RedisPeer("other-0", address.host(), address.port());
    try (var process = RealRedis.of(stranger, folder)) {
      assertThat(process).isNotNull();
      await().ignoreExceptions().until(() -> group.redis(0).replicaofNoOne() != null);
      group.redis(0).set("theirs", "theirs");
      // Then
      await()
          .during(Duration.ofSeconds(15))
          .atMost(PATIENCE)
          .ignoreExceptions()
          .untilAsserted(
              () -> {
                assertThat(group.redis(0).info("replication")).contains("connected_slaves:0");
                assertThat(group.redis(1).get("own")).isEqualTo("own");
                assertThat(group.redis(2).get("own")).isEqualTo("own");
                assertThat(sentinels)
                    .noneMatch(
                        one ->
                            Optional.ofNullable(monitored(one))
                                .filter(it -> it.primary().host().equals(address.host()))
                                .isPresent());
              });
    }
  }

  private boolean knows(int replicas, int others) {
    return sentinels.stream()
        .limit(2)
        .allMatch(
            one ->
                one.replicas(GROUP).size() == replicas
                    && one.otherSentinels(GROUP).size() == others);
  }

  @Test
  void shouldKeepItsIdAfterARestart() throws IOException {
    // Given
    var config = folder.resolve("sentinel-1").resolve("sentinel.conf");
    var id = identity(config);
    // When
    processes.get(1).stop();
    processes.get(1).start();
    // Then
    awaitAgreement(0);
    assertThat(identity(config)).startsWith("sentinel myid ").isEqualTo(id);
  }

  private static String identity(Path config) throws IOException {
    try (var lines = Files.lines(config)) {
      return lines.filter(line -> line.startsWith("sentinel myid")).findFirst().orElse("");
    }
  }

  /** All Sentinels monitor this pod as primary and know each other. */
  private void awaitAgreement(int number) {
    await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .untilAsserted(
            () -> {
              assertThat(sentinels)
                  .extracting(SentinelWatchIT::monitoredHost)
                  .containsOnly(host(number));
              assertThat(sentinels)
                  .allSatisfy(one -> assertThat(one.otherSentinels(GROUP)).hasSize(2));
            });
  }

  private int primaryOf(SentinelServer sentinel) {
    var host = monitoredHost(sentinel);
    return (int) group.peers.stream().takeWhile(peer -> !peer.host().equals(host)).count();
  }

  private String host(int number) {
    return group.peers.get(number).host();
  }

  private static String monitoredHost(SentinelServer sentinel) {
    return monitored(sentinel).primary().host();
  }

  private static MonitoredGroup monitored(SentinelServer sentinel) {
    return sentinel.monitoredGroups().get(GROUP);
  }
}
