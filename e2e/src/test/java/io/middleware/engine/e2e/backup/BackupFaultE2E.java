package io.middleware.engine.e2e.backup;

import static io.middleware.engine.e2e.backup.BackupFaultE2E.Victim.AGENTS;
import static io.middleware.engine.e2e.backup.BackupFaultE2E.Victim.POD;
import static io.middleware.engine.e2e.backup.BackupFaultE2E.Victim.REDIS;
import static io.middleware.engine.e2e.backup.BackupFaultE2E.Victim.S3;
import static io.middleware.engine.e2e.backup.BackupFaultE2E.Victim.WATCHER;
import static io.middleware.engine.e2e.backup.BackupFaultE2E.Victim.WORKER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Pod;
import io.middleware.engine.api.backup.BackupCopy;
import io.middleware.engine.api.backup.BackupStatus;
import io.middleware.engine.e2e.AppBackup;
import io.middleware.engine.e2e.Disruptive;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.Engine;
import io.middleware.engine.e2e.InTurn;
import io.middleware.engine.e2e.LocalStore;
import io.middleware.engine.e2e.Shop;
import io.middleware.engine.e2e.SlowLink;
import io.middleware.engine.e2e.Trials;
import io.middleware.engine.e2e.Yaml;
import io.middleware.engine.e2e.redis.DeployedRedisGroup;
import io.middleware.engine.e2e.redis.RealRedis;
import io.middleware.engine.e2e.redis.RedisContent;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Processes are killed at random moments while a Redis is backed up to a slow S3 server, and while
 * a new one is filled from it. What is to be hit stands still at its moment until the kill, so that
 * each kill hits it. {@code -Dseed=} the number that is printed makes the same choices again.
 */
@EndToEnd
@Disruptive("kills processes of the engine, the simulator and the S3 server")
@InTurn(2)
class BackupFaultE2E {
  private static final long SEED = Long.getLong("seed", System.currentTimeMillis());

  /** 12 MB: two parts of an upload. Redis saves them, and the link carries them, in 1.5 s each. */
  private static final int KEYS = 1500;

  private static final int BYTES_OF_A_KEY = 8000;

  /** Of a copy, at least. */
  private static final int BYTES = KEYS * BYTES_OF_A_KEY / 10 * 9;

  /** Enough to begin, and far from enough for a part of a copy. */
  private static final int FIRST_BYTES = 100_000;

  private static final Duration SAVE = Duration.ofMillis(1500);
  private static final Duration SAVE_OF_A_KEY = Duration.ofMillis(1);
  private static final long SLOW = 8_000_000;
  private static final long FAST = 1_000_000_000;

  private static final Duration LOAD = Duration.ofMillis(600);
  private static final Duration LONGEST_ABSENCE = Duration.ofSeconds(4);
  private static final Duration TIME_LIMIT = Duration.ofSeconds(12);

  private static final Random RANDOM = new Random(SEED);

  private static Shop shop;
  private static LocalStore store;
  private static SlowLink link;
  private static DeployedRedisGroup group;
  private static Map<String, String> written;
  private static List<Path> leftBefore;

  enum Victim {
    WORKER,
    WATCHER,
    AGENTS,
    S3,
    REDIS,
    POD
  }

  @BeforeAll
  static void deploy(Shop own) throws IOException {
    DeployedRedisGroup.assumeReal();
    System.out.printf("-Dseed=%d%n", SEED);
    shop = own;
    link = new SlowLink(LocalStore.startS3());
    store = new LocalStore(shop).inS3(link.entrance());
    leftBefore = LocalStore.unfinished();
    group = new DeployedRedisGroup(shop, "main");
    group.deploy(
        app("cache")
            .plus("  backup: {schedule: \"@yearly\", store: %s}\n".formatted(LocalStore.NAME)));
    written = RedisContent.writeNoise(group.primaryAddress(), KEYS, BYTES_OF_A_KEY);
  }

  /** Nothing remains in the store when all Backups are deleted, whatever happened to them. */
  @AfterAll
  static void deleteBackups() throws IOException {
    if (link == null) {
      return;
    }
    link.release();
    link.limit(FAST);
    AppBackup.deleteAll(shop);
    group.close();
    link.close();
    assertThat(store.objects()).isEmpty();
    assertThat(LocalStore.unfinished()).isEqualTo(leftBefore);
  }

  /** Also when a test has ended too early. */
  @AfterEach
  void releaseLink() {
    link.release();
  }

  @Test
  void shouldHaveAGoodBackupWhateverIsKilled() throws InterruptedException {
    // Given
    var victims =
        shuffled(Map.of(WORKER, 3, WATCHER, 2, AGENTS, 2, S3, 3, REDIS, 2, POD, 1))
            .subList(0, Trials.of(3, 13));
    var backups = new ArrayList<String>();
    // When
    for (var victim : victims) {
      var name = "kill-%d".formatted(backups.size() + 1);
      backUp(name, victim);
      backups.add(name);
    }
    // Then
    link.limit(FAST);
    backups.forEach(backup -> shop.apply(restored("of-" + backup, backup)));
    for (var backup : backups) {
      shop.awaitReady("of-" + backup);
      assertThat(content("of-" + backup).equals(written)).as(backup).isTrue();
    }
  }

  private static void backUp(String name, Victim victim) throws InterruptedException {
    // Given
    makeSlow();
    var before = LocalStore.unfinished();
    var bytes = Math.max(FIRST_BYTES, RANDOM.nextInt(-BYTES, 2 * BYTES)); // as it is read again
    link.holdAfter(bytes);
    var backup = new AppBackup(shop, name).apply();
    var begun = backup.awaits(status -> copy(status).isPresent());
    if (bytes > FIRST_BYTES) {
      awaitHold();
    } else {
      pause(SAVE);
    }
    var seen = backup.status();
    System.out.printf("%s: %s after %d bytes: %s%n", name, victim, bytes, seen.message());
    assertThat(seen.completedAt()).as("in the middle").isNull();
    // When
    kill(victim, pod(copy(begun).orElseThrow()));
    link.release();
    // Then
    var copy = copy(backup.ends("Succeeded")).orElseThrow();
    assertThat(store.checksum(copy.key())).isEqualTo(copy.checksum());
    if (victim != POD) { // what its agent has left goes with the Backup
      assertThat(LocalStore.unfinished()).isEqualTo(before);
    }
  }

  @Test
  void shouldFailWhenTheStoreIsAwayUntilTheTimeLimit() throws InterruptedException {
    // Given
    makeSlow();
    link.holdAfter(RANDOM.nextInt(FIRST_BYTES, BYTES));
    var backup =
        new AppBackup(shop, "late").apply(", timeout: %ds".formatted(TIME_LIMIT.toSeconds()));
    var begun = backup.awaits(status -> copy(status).isPresent());
    awaitHold();
    // When
    Engine.dev("stop", "s3", "--kill");
    link.release();
    var over = Instant.parse(begun.startedAt()).plus(TIME_LIMIT).plusSeconds(1);
    Thread.sleep(Duration.between(Instant.now(), over));
    Engine.dev("start", "s3");
    // Then
    var message = backup.ends("Failed").message();
    System.out.println(message);
    assertThat(message)
        .containsAnyOf(
            "timed out before redis-nodes/main was copied",
            "a step did not finish in time") // an agent that is stopped may take until then to end
        .doesNotContain("could not be deleted");
    assertThat(store.objects()).noneMatch(file -> file.toString().contains("/late-"));
    assertThat(LocalStore.unfinished()).isEqualTo(leftBefore);
  }

  @Test
  void shouldFillAnAppWhateverIsKilled() throws InterruptedException {
    // Given
    link.limit(SLOW);
    new AppBackup(shop, "source").apply().ends("Succeeded");
    var victims =
        shuffled(Map.of(S3, 2, WORKER, 1, WATCHER, 1, AGENTS, 1, POD, 1))
            .subList(0, Trials.of(1, 6));
    for (var i = 0; i < victims.size(); i++) {
      var app = "filled-" + i;
      var bytes = RANDOM.nextInt(FIRST_BYTES, BYTES);
      link.holdAfter(bytes);
      shop.apply(restored(app, "source"));
      var pod = awaitPod(app);
      awaitHold();
      System.out.printf("%s: %s after %d bytes%n", app, victims.get(i), bytes);
      assertThat(RealRedis.isReady(shop.client.resource(pod).get())).as("in the middle").isFalse();
      // When
      kill(victims.get(i), pod);
      link.release();
      // Then
      shop.awaitReady(app);
      assertThat(content(app).equals(written)).as(app).isTrue();
    }
  }

  /** While it loads the copy, or its replicas copy from it. */
  @Test
  void shouldFillAnAppWhoseRedisIsKilled() throws InterruptedException {
    // Given
    link.limit(FAST);
    new AppBackup(shop, "loaded").apply().ends("Succeeded");
    for (var i = 0; i < Trials.of(1, 5); i++) {
      var app = "loaded-" + i;
      shop.apply(restored(app, "loaded").replace("replicas: 1", "replicas: 3"));
      var pod = awaitPod(app);
      var redis = await("Redis of " + app).atMost(Shop.PATIENCE).ignoreExceptions();
      redis.until(() -> !DeployedRedisGroup.pid(pod).isEmpty());
      System.out.printf("%s: Redis killed after %s%n", app, pause(LOAD));
      // When
      kill(REDIS, pod);
      // Then
      shop.awaitReady(app);
      for (var member : shop.pods(app)) {
        var address = member.getStatus().getPodIP();
        assertThat(RedisContent.read(address).equals(written)).as(address).isTrue();
      }
    }
  }

  private static void kill(Victim victim, Pod pod) throws InterruptedException {
    switch (victim) {
      case WORKER -> Engine.kill("worker");
      case WATCHER -> Engine.kill("watcher");
      case AGENTS -> Engine.kill("simulator");
      case REDIS -> Engine.run(List.of("kill", "-KILL", DeployedRedisGroup.pid(pod)));
      case POD -> shop.client.resource(pod).delete();
      case S3 -> {
        Engine.dev("stop", "s3", "--kill");
        pause(LONGEST_ABSENCE);
        Engine.dev("start", "s3");
      }
    }
  }

  /** A Redis that was started again has forgotten it. */
  private static void makeSlow() {
    link.limit(SLOW);
    shop.awaitReady("cache");
    await("slow saves")
        .atMost(Shop.PATIENCE)
        .ignoreExceptions()
        .until(
            () -> {
              group
                  .pods()
                  .forEach(
                      pod -> RedisContent.slowSaves(pod.getStatus().getPodIP(), SAVE_OF_A_KEY));
              return true;
            });
  }

  private static void awaitHold() {
    await("the link holds").atMost(Shop.PATIENCE).until(link::isHolding);
  }

  private static Duration pause(Duration longest) throws InterruptedException {
    var pause = Duration.ofMillis(RANDOM.nextLong(longest.toMillis()));
    Thread.sleep(pause);
    return pause;
  }

  private static List<Victim> shuffled(Map<Victim, Integer> times) {
    var all = new ArrayList<Victim>();
    new TreeMap<>(times).forEach((victim, n) -> all.addAll(Collections.nCopies(n, victim)));
    Collections.shuffle(all, RANDOM);
    return all;
  }

  /** Its copy as soon as a pod has been asked for it. */
  private static Optional<BackupCopy> copy(BackupStatus status) {
    return Stream.ofNullable(status.copies())
        .flatMap(List::stream)
        .filter(copy -> copy.pod() != null)
        .findFirst();
  }

  private static Pod pod(BackupCopy copy) {
    return shop.client.pods().inNamespace(shop.namespace).withName(copy.pod()).get();
  }

  private static Pod awaitPod(String app) {
    await("pod of " + app)
        .atMost(Shop.PATIENCE)
        .pollInterval(Duration.ofMillis(50))
        .until(() -> shop.pods(app).stream().anyMatch(pod -> pod.getStatus().getPodIP() != null));
    return shop.pods(app).getFirst();
  }

  private static Map<String, String> content(String app) {
    return RedisContent.read(shop.pods(app).getFirst().getStatus().getPodIP());
  }

  private static Yaml restored(String app, String backup) {
    return app(app)
        .replace("replicas: 3", "replicas: 1")
        .plus(
            "  backup: {enabled: false, store: %s}\n  restoreFrom: {backup: %s}\n"
                .formatted(LocalStore.NAME, backup));
  }

  private static Yaml app(String name) {
    return shop.file("plugins/redis/app-replication.yaml")
        .replace("name: cache,", "name: %s,".formatted(name))
        .plus("  deletionPolicy: Delete\n");
  }
}
