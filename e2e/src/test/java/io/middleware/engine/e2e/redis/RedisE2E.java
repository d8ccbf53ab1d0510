package io.middleware.engine.e2e.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Pod;
import io.middleware.engine.e2e.AppOperation;
import io.middleware.engine.e2e.AuditLog;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.Engine;
import io.middleware.engine.e2e.PodDiary;
import io.middleware.engine.e2e.Shop;
import io.middleware.engine.e2e.Volumes;
import io.middleware.engine.e2e.Yaml;
import io.middleware.engine.proof.Proves;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** Real Redis servers behind the pods, written to all the time while the App changes. */
@Proves(
    plugin = "redis",
    versions = {"redis 7.0", "valkey 9.0"},
    what =
        "An upgrade, hot and cold changes, more and fewer pods, larger volumes and a killed server lose no write that a replica has confirmed.")
@EndToEnd
@Order(1)
class RedisE2E {
  private final Shop shop;
  private final DeployedRedisGroup group;
  private final RedisWriter writer;

  RedisE2E(Shop shop) {
    this.shop = shop;
    this.group = new DeployedRedisGroup(shop, "main");
    this.writer = group.writer;
  }

  @BeforeEach
  void deploy() {
    DeployedRedisGroup.assumeReal();
    group.deploy(app());
  }

  @AfterEach
  void close() {
    group.close();
  }

  @Test
  void shouldRestartForAColdChangeWithoutLosingAWrite() throws InterruptedException {
    change("cold change", app().replace("maxmemory: 100mb", "databases: 32"));
  }

  @Test
  void shouldRestartForOtherResourcesWithoutLosingAWrite() throws InterruptedException {
    change("resource change", app().replace("cpu: 100m", "cpu: 200m"));
  }

  @Test
  void shouldRestartByAnOperationWithoutLosingAWriteThePrimaryLast() throws InterruptedException {
    // Given
    var primary = group.primary();
    var audit = AuditLog.fromNow();
    writer.start();
    try (var diary = new PodDiary(shop.client, shop.namespace)) {
      // When
      AppOperation.restart(shop, "restart-1").apply().ends("Succeeded");
      shop.awaitReady("cache");
      // Then
      assertThat(diary.mostDownAtOnce()).isEqualTo(1);
    }
    assertThat(audit.restarts(shop.namespace)).hasSize(3).doesNotHaveDuplicates().endsWith(primary);
    group.assertThatNothingIsLost("restart");
  }

  @Test
  void shouldTakeTheNewPrimaryLastWhenItMovesMeanwhile() throws InterruptedException {
    // Given replicas 1 and 2 before primary 0, and a rest after 1
    writer.start();
    var audit = AuditLog.fromNow();
    try (var diary = new PodDiary(shop.client, shop.namespace)) {
      shop.apply(upgraded().replace("  components:", "  change: {interval: 15s}\n  components:"));
      await("one pod made again")
          .atMost(Shop.PATIENCE)
          .until(() -> diary.lines().contains("cache-redis-nodes-main-1 ready"));
      // When
      makePrimary("cache-redis-nodes-main-2");
      // Then
      shop.awaitReady("cache");
      assertThat(diary.mostDownAtOnce()).isEqualTo(1);
    }
    assertThat(audit.restarts(shop.namespace))
        .containsExactly(
            "cache-redis-nodes-main-1", "cache-redis-nodes-main-0", "cache-redis-nodes-main-2");
    group.assertThatNothingIsLost("upgrade, the primary moves meanwhile");
  }

  @Test
  void shouldGrowVolumesWithoutLosingAWriteOrTouchingAPod() throws InterruptedException {
    // Given
    var volumes = new Volumes(shop);
    var pods = volumes.podUids();
    var primary = group.primary();
    writer.start();
    try (var diary = new PodDiary(shop.client, shop.namespace)) {
      // When
      shop.apply(Volumes.grown(app()));
      shop.awaitReady("cache");
      // Then
      assertThat(diary.lines()).isEmpty();
    }
    volumes.areAll("2Gi", 3);
    assertThat(volumes.podUids()).isEqualTo(pods);
    assertThat(group.primary()).isEqualTo(primary);
    group.assertThatNothingIsLost("volume growth");
  }

  @Test
  void shouldPutMaxmemoryInForceOnSixNodesWithoutARestart() {
    // Given a second group
    var two = app().replaceFirst("(?m)^( +- \\{name: )main(.*)$", "$0\n$1other$2");
    shop.apply(two);
    shop.awaitReady("cache");
    var processes = processes();
    var audit = AuditLog.fromNow();
    try (var other = new DeployedRedisGroup(shop, "other")) {
      // When
      shop.apply(two.replace("maxmemory: 100mb", "maxmemory: 200mb"));
      // Then
      awaitInForce("209715200", group, other);
      shop.awaitReady("cache");
    }
    assertThat(audit.restarts(shop.namespace)).isEmpty();
    assertThat(processes()).hasSize(6).isEqualTo(processes);
  }

  @Test
  void shouldGrowAndShrinkWithoutLosingAWrite() throws InterruptedException {
    // Given
    var primary = group.primary();
    writer.start();
    try (var diary = new PodDiary(shop.client, shop.namespace)) {
      // When
      shop.apply(app().replace("replicas: 3", "replicas: 5"));
      shop.awaitReady("cache");
      shop.apply(app());
      shop.awaitReady("cache");
      // Then
      assertThat(diary.lines())
          .containsExactlyInAnyOrder(
              "cache-redis-nodes-main-3 ready",
              "cache-redis-nodes-main-4 ready",
              "cache-redis-nodes-main-3 leaves",
              "cache-redis-nodes-main-4 leaves");
    }
    group.assertThatNothingIsLost("scale 3, 5, 3");
    assertThat(group.primary()).isEqualTo(primary);
  }

  @Test
  void shouldShrinkWithoutLosingAWriteWhenThePrimaryIsToGo() throws InterruptedException {
    // Given number 4 is the primary
    shop.apply(app().replace("replicas: 3", "replicas: 5"));
    shop.awaitReady("cache");
    makePrimary("cache-redis-nodes-main-4");
    writer.start();
    // When
    shop.apply(app());
    shop.awaitReady("cache");
    // Then
    assertThat(group.primary()).isEqualTo("cache-redis-nodes-main-0");
    group.assertThatNothingIsLost("scale 5, 3 away from the primary");
  }

  @Test
  void shouldStartARedisAgainThatDies() throws InterruptedException {
    // Given
    writer.start();
    var pod = shop.pods("cache").getFirst();
    // When
    Engine.run(List.of("kill", "-KILL", DeployedRedisGroup.pid(pod)));
    // Then
    await("restarted in place")
        .atMost(Shop.PATIENCE)
        .until(() -> restarts(now(pod)) == 1 && isReady(now(pod)));
    assertThat(now(pod).getMetadata().getUid()).isEqualTo(pod.getMetadata().getUid());
    group.assertThatNothingIsLost("crash of " + pod.getMetadata().getName());
  }

  /** All pods are restarted, one after the other, the primary last. */
  private void change(String what, Yaml edited) throws InterruptedException {
    // Given
    var primary = group.primary();
    writer.start();
    var audit = AuditLog.fromNow();
    try (var diary = new PodDiary(shop.client, shop.namespace)) {
      // When
      shop.apply(edited);
      shop.awaitReady("cache");
      // Then
      assertThat(audit.restarts(shop.namespace)).hasSize(3).endsWith(primary);
      assertThat(diary.mostDownAtOnce()).isEqualTo(1);
    }
    group.assertThatNothingIsLost(what);
  }

  /** As Redis itself says. */
  private static void awaitInForce(String maxmemory, DeployedRedisGroup... groups) {
    await("maxmemory " + maxmemory)
        .atMost(Shop.PATIENCE)
        .ignoreExceptions()
        .untilAsserted(
            () ->
                assertThat(
                        Stream.of(groups).flatMap(one -> one.writer.inForce("maxmemory").stream()))
                    .containsOnly(maxmemory));
  }

  /** By pod, the id of its Redis. */
  private Map<String, String> processes() {
    return shop.pods("cache").stream()
        .collect(Collectors.toMap(pod -> pod.getMetadata().getName(), DeployedRedisGroup::pid));
  }

  private Pod now(Pod pod) {
    return shop.client.resource(pod).get();
  }

  private static int restarts(Pod pod) {
    return pod.getStatus().getContainerStatuses().stream()
        .filter(container -> container.getName().equals("redis"))
        .mapToInt(container -> container.getRestartCount())
        .sum();
  }

  private static boolean isReady(Pod pod) {
    return pod.getStatus().getConditions().stream()
        .anyMatch(one -> one.getType().equals("Ready") && one.getStatus().equals("True"));
  }

  private void makePrimary(String pod) {
    var to = shop.client.pods().inNamespace(shop.namespace).withName(pod).get();
    var from = group.primaryAddress();
    var words = "redis-cli -h %s failover to %s 6379".formatted(from, to.getStatus().getPodIP());
    Engine.run(List.of(words.split(" ", -1)));
    await(pod + " primary")
        .atMost(Shop.PATIENCE)
        .ignoreExceptions()
        .untilAsserted(() -> assertThat(group.primary()).isEqualTo(pod));
  }

  private Yaml upgraded() {
    return app().replace("{name: redis, version: \"7.0\"}", "{name: valkey, version: \"9.0\"}");
  }

  private Yaml app() {
    return shop.file("plugins/redis/app-replication.yaml");
  }
}
