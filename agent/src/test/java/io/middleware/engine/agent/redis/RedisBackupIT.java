package io.middleware.engine.agent.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import io.middleware.engine.agent.driver.ActionOutput;
import io.middleware.engine.agent.driver.ActionRequest;
import io.middleware.engine.agent.restore.RedisRestore;
import io.middleware.engine.agent.store.S3Server;
import io.middleware.engine.agent.store.StoreFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** From a replica of a real group to a real S3 server, and back into an empty folder. */
class RedisBackupIT {
  private static final int KEYS = 10_000;
  private static final int REPLICA = 1;
  private static final String ANY_CHECKSUM = "sha256:" + "0".repeat(64);
  private static final Map<String, String> KEY = Map.of("key", "shop/cache.rdb");

  @TempDir Path folder;
  private S3Server s3;
  private StoreFiles store;
  private RealGroup group;

  @BeforeEach
  void start() throws IOException {
    s3 = S3Server.in(folder.resolve("s3"));
    store = s3.settings();
    group = new RealGroup(folder, Optional.of(store));
    fill(group.redis(0));
  }

  @AfterEach
  void stop() {
    if (s3 != null) {
      s3.close();
    }
    if (group != null) {
      group.close();
    }
  }

  @ParameterizedTest
  @CsvSource({"yes, no", "no, yes"})
  void shouldRestoreWhatWasBackedUp(String diskless, String appendOnly) throws Exception {
    group.redis(REPLICA).configSet("repl-diskless-sync", diskless);

    assertThat(group.drivers.get(REPLICA).measure("restored")).isEqualTo(KEYS + " keys");

    var backup = run("backup", KEY);

    assertThat(backup.exitCode()).isZero();
    assertThat(backup.values())
        .containsEntry("location", "s3://backups/engine/shop/cache.rdb")
        .containsEntry("size", String.valueOf(Files.size(s3.file("shop/cache.rdb"))))
        .containsEntry("replicationId", field(0, "master_replid"))
        .containsEntry("offset", field(0, "master_repl_offset"))
        .hasEntrySatisfying("version", version -> assertThat(version).matches("[78]\\..*"));
    var checksum = backup.values().get("checksum");
    assertThat(run("verify-backup", with("checksum", checksum)).values())
        .containsEntry("size", backup.values().get("size"));
    assertThat(group.redis(0).info("replication")).contains("connected_slaves:2");

    var restored = Files.createDirectories(folder.resolve("new-0"));
    var restore = restore("new-0", checksum, appendOnly);
    assertThat(restore.run()).endsWith(" bytes restored from s3://backups/engine/shop/cache.rdb");
    var peer = new RedisPeer("new-0", "127.88.0.9", RealGroup.freePort());
    try (var redis = RealRedis.of(peer, folder, "--appendonly", appendOnly)) {
      awaitKeys(peer);
      redis.stop();
      redis.start();
      awaitKeys(peer);
    }
    assertThat(restore.run())
        .isEqualTo(
            "nothing to restore: %s was filled from shop/cache.rdb before".formatted(restored));
  }

  @Test
  void shouldNotRestoreOverOtherData() throws Exception {
    Files.createDirectories(folder.resolve("new-0"));
    Files.writeString(folder.resolve("new-0/dump.rdb"), "another's");

    assertThatThrownBy(() -> restore("new-0", ANY_CHECKSUM, "no").run())
        .hasMessage(
            "FAILED_PRECONDITION: cannot restore shop/cache.rdb into %s/new-0: it has data that are not from this backup."
                + " Restore into a new App",
            folder);
  }

  @ParameterizedTest
  @CsvSource({"no, dump.rdb", "yes, appendonlydir"})
  void shouldLeaveNoDataOfACorruptCopy(String appendOnly, String file) throws Exception {
    var checksum = run("backup", KEY).values().get("checksum");
    Files.writeString(s3.file("shop/cache.rdb"), "REDIS0010");
    Files.createDirectories(folder.resolve("new-0"));

    assertThatThrownBy(() -> restore("new-0", checksum, appendOnly).run())
        .hasMessageContaining("the backup s3://backups/engine/shop/cache.rdb is corrupt");
    assertThat(folder.resolve("new-0").resolve(file)).doesNotExist();
    assertThatThrownBy(() -> run("verify-backup", with("checksum", checksum)))
        .hasMessageContaining("the backup s3://backups/engine/shop/cache.rdb is corrupt");

    var second = run("backup", KEY).values().get("checksum");
    assertThat(restore("new-0", second, appendOnly).run()).contains("bytes restored");
  }

  /** Redis would evict most keys, and the App would be Ready. */
  @Test
  void shouldRestoreNothingThatWouldBeEvicted() throws Exception {
    var checksum = run("backup", KEY).values().get("checksum");
    var data = Files.createDirectories(folder.resolve("new-0"));
    var restore = restore("new-0", checksum, "no\nmaxmemory 1mb\nmaxmemory-policy allkeys-lru");

    assertThatThrownBy(restore::run)
        .hasMessageStartingWith("FAILED_PRECONDITION: cannot restore shop/cache.rdb into ")
        .hasMessageContaining("with maxmemory 1 MiB Redis would evict keys");
    assertThat(data.resolve("dump.rdb")).doesNotExist();
    // and where it refuses writes instead
    assertThat(restore("new-0", checksum, "no\nmaxmemory 1mb").run()).contains("bytes restored");
  }

  @Test
  void shouldFillOnlyTheFirstPod() throws Exception {
    assertThat(restore("new-1", ANY_CHECKSUM, "no").run())
        .isEqualTo("nothing to restore in new-1: it copies its data from the first pod");
  }

  @Test
  void shouldFillNothingBesidePodsWithData() throws Exception {
    var checksum = run("backup", KEY).values().get("checksum");
    Files.createDirectories(folder.resolve("new-0"));
    var other = new RedisPeer("new-2", "127.88.0.8", RealGroup.freePort());
    try (var redis = RealRedis.of(other, folder)) {
      await().until(() -> group.servers.stateOf(other.address()).isPresent());
      group.servers.at(other.address()).promote();

      assertThat(restore("new-0", checksum, "no", absent(), other).run())
          .isEqualTo("nothing to restore: the group has data already; this pod copies them");
    }
    assertThat(folder.resolve("new-0")).isEmptyDirectory();
  }

  @Test
  void shouldFillBesideTheRedisOfAnotherGroup() throws Exception {
    var checksum = run("backup", KEY).values().get("checksum");
    Files.createDirectories(folder.resolve("new-0"));
    var replica = group.peers.get(REPLICA);
    var other = new RedisPeer("new-2", replica.host(), replica.port());

    assertThat(restore("new-0", checksum, "no", absent(), other).run()).contains("bytes restored");
  }

  @Test
  void shouldFillBesidePodsThatAreEmptyOrDoNotAnswer() throws Exception {
    var checksum = run("backup", KEY).values().get("checksum");
    Files.createDirectories(folder.resolve("new-0"));
    var empty = new RedisPeer("new-2", "127.88.0.8", RealGroup.freePort());
    try (var redis = RealRedis.of(empty, folder)) {
      await().until(() -> group.servers.stateOf(empty.address()).isPresent());

      assertThat(restore("new-0", checksum, "no", absent(), empty).run())
          .contains("bytes restored");
    }
  }

  private static RedisPeer absent() {
    return new RedisPeer("new-1", "127.88.0.7", 1);
  }

  @Test
  void shouldLeaveNothingWhenCancelled() throws Exception {
    saveSlowly();
    var failure = new AtomicReference<Throwable>();
    var backup =
        Thread.startVirtualThread(() -> failure.set(catchThrowable(() -> run("backup", KEY))));
    await()
        .untilAsserted(
            () -> assertThat(group.redis(REPLICA).info("stats")).contains("sync_full:1"));
    s3.freeze();

    backup.interrupt();
    backup.join();

    assertThat(failure.get()).isInstanceOf(InterruptedException.class);
    await().untilAsserted(() -> assertThat(field(REPLICA, "connected_slaves")).isEqualTo("0"));
    s3.thaw();
    assertThatNothingAppears();
  }

  @Test
  void shouldEndAtTheTimeout() throws Exception {
    saveSlowly();
    var request = new ActionRequest("backup", KEY, Duration.ofMillis(500), Duration.ZERO);
    var output = new AtomicReference<ActionOutput>();

    Thread.startVirtualThread(() -> output.set(runAction(request))).join();

    assertThat(output.get().timedOut()).isTrue();
    assertThat(output.get().exitCode()).isEqualTo(143);
    assertThatNothingAppears();
  }

  @Test
  void shouldSayWhyAReplicaHasNothingToSend() throws Exception {
    group.processes.get(0).kill();
    await().untilAsserted(() -> assertThat(field(2, "master_link_status")).isEqualTo("down"));

    assertThatThrownBy(() -> RdbStream.open(group.servers.at(group.peers.get(2).address()), ""))
        .hasMessageStartingWith("FAILED_PRECONDITION: Redis ")
        .hasMessageContaining("refuses to send its data: -NOMASTERLINK");
  }

  @Test
  void shouldDeleteABackupOnce() throws Exception {
    run("backup", KEY);

    run("delete-backup", KEY);
    run("delete-backup", KEY);

    assertThat(s3.files()).isEmpty();
  }

  @Test
  void shouldNameAMissingParameterAndAnUnknownAction() {
    assertThatThrownBy(() -> run("backup", Map.of()))
        .hasMessage("FAILED_PRECONDITION: the action backup needs the parameter 'key'");
    assertThatThrownBy(() -> run("fly", Map.of()))
        .hasMessage("UNIMPLEMENTED: this agent has no action 'fly'");
  }

  /** The keys take 2 s and longer. */
  private void saveSlowly() {
    group.redis(REPLICA).configSet("rdb-key-save-delay", "200");
  }

  private void assertThatNothingAppears() {
    await().during(Duration.ofMillis(500)).untilAsserted(() -> assertThat(s3.files()).isEmpty());
  }

  private ActionOutput run(String action, Map<String, String> parameters)
      throws InterruptedException {
    var request = new ActionRequest(action, parameters, Duration.ZERO, Duration.ZERO);
    return group.drivers.get(REPLICA).runAction(request, (text, percent) -> {});
  }

  private ActionOutput runAction(ActionRequest request) {
    try {
      return group.drivers.get(REPLICA).runAction(request, (text, percent) -> {});
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Map<String, String> with(String name, String value) {
    return Map.of("key", KEY.get("key"), name, value);
  }

  /**
   * @param others in the group of the pod
   */
  private RedisRestore restore(String pod, String checksum, String appendOnly, RedisPeer... others)
      throws IOException {
    var config = Files.writeString(folder.resolve("redis.conf"), "appendonly " + appendOnly + "\n");
    var request =
        Files.writeString(
            folder.resolve("restore"), "key shop/cache.rdb\nchecksum " + checksum + "\n");
    var peers =
        new OtherPods(
            RealGroup.identity(pod),
            new RealGroup.Fixed(List.of(others), group.expected),
            group.servers);
    return new RedisRestore(peers, store, request, folder.resolve(pod), config);
  }

  private String field(int number, String name) {
    return ReplicationState.fields(group.redis(number).info("replication")).get(name);
  }

  private void fill(RedisCommands<String, String> primary) {
    for (var i = 0; i < KEYS; i += 100) {
      primary.mset(
          IntStream.range(i, i + 100)
              .boxed()
              .collect(java.util.stream.Collectors.toMap(n -> "key" + n, n -> "value" + n)));
    }
    primary.waitForReplication(2, 10_000);
  }

  private static void awaitKeys(RedisPeer peer) {
    var client = RedisClient.create(RedisURI.create(peer.host(), peer.port()));
    try {
      await()
          .ignoreExceptions()
          .untilAsserted(
              () -> {
                var redis = client.connect().sync();
                assertThat(redis.dbsize()).isEqualTo(KEYS);
                assertThat(redis.get("key9999")).isEqualTo("value9999");
              });
    } finally {
      client.shutdown();
    }
  }
}
