package io.middleware.engine.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Real Redis servers behind the pods, written to all the time while the App changes. */
@Isolated("measures gaps, and kills the agent of all")
class RedisE2E {
  private static final int AGENT_PORT = 9090;
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private Shop shop;
  private RedisWriter writer;

  @BeforeEach
  void deploy() {
    assumeTrue(hasRedis(), "no redis-server here: dev/up says why");
    shop = new Shop();
    shop.kubectl(
        shop.file("plugins/redis/plugin.yaml"),
        "apply",
        "--server-side",
        "--force-conflicts",
        "-f",
        "-");
    shop.apply(app());
    shop.awaitReady("cache");
    writer = new RedisWriter(this::addresses);
  }

  @AfterEach
  void close() {
    if (shop != null) {
      writer.close();
      shop.close();
    }
  }

  @Test
  void shouldUpgradeWithoutLosingAWriteThePrimaryLast() throws InterruptedException {
    change("upgrade", app().replace("version: \"7.0\"", "version: \"7.2\""));
  }

  @Test
  void shouldRestartForAColdChangeWithoutLosingAWrite() throws InterruptedException {
    change("cold change", app().replace("maxmemory: 100mb", "databases: 32"));
  }

  @Test
  void shouldGrowAndShrinkWithoutLosingAWrite() throws InterruptedException {
    // Given
    var primary = primary();
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
    assertThatNothingIsLost("scale 3, 5, 3");
    assertThat(primary()).isEqualTo(primary);
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
    assertThat(primary()).isEqualTo("cache-redis-nodes-main-0");
    assertThatNothingIsLost("scale 5, 3 away from the primary");
  }

  @Test
  void shouldStartARedisAgainThatDies() throws InterruptedException {
    // Given
    writer.start();
    var pod = shop.pods("cache").getFirst();
    // When
    Engine.run(List.of("kill", "-KILL", pid(pod)));
    // Then
    await("not ready").atMost(PATIENCE).until(() -> !isReady(now(pod)));
    await("ready again").atMost(PATIENCE).until(() -> isReady(now(pod)));
    assertThat(now(pod).getMetadata().getUid()).isEqualTo(pod.getMetadata().getUid());
    assertThat(now(pod).getStatus().getContainerStatuses())
        .allSatisfy(container -> assertThat(container.getRestartCount()).isEqualTo(1));
    assertThatNothingIsLost("crash of " + pod.getMetadata().getName());
  }

  @Test
  void shouldLeaveRedisAloneWhenTheAgentDies() throws InterruptedException {
    // Given
    writer.start();
    var pods = shop.pods("cache");
    var before = pods.stream().map(RedisE2E::pid).toList();
    // When
    Engine.dev("restart", "agent", "--kill");
    await("the agent of " + pods.getFirst().getMetadata().getName())
        .atMost(Shop.PATIENCE)
        .until(() -> listens(pods.getFirst().getStatus().getPodIP()));
    // Then
    assertThat(shop.pods("cache").stream().map(RedisE2E::pid)).isEqualTo(before);
    shop.apply(app().replace("maxmemory: 100mb", "databases: 32"));
    shop.awaitReady("cache");
    assertThatNothingIsLost("death of the agents, then a cold change");
  }

  /** All pods are restarted, one after the other, the primary last. */
  private void change(String what, String edited) throws InterruptedException {
    // Given
    var primary = primary();
    writer.start();
    var audit = AuditLog.fromNow();
    try (var diary = new PodDiary(shop.client, shop.namespace)) {
      // When
      shop.apply(edited);
      shop.awaitReady("cache");
      // Then
      assertThat(audit.restarts(shop.namespace)).hasSize(3).endsWith(primary);
      assertThat(mostDownAtOnce(diary.lines())).isEqualTo(1);
    }
    assertThatNothingIsLost(what);
  }

  private void assertThatNothingIsLost(String what) throws InterruptedException {
    var outcome = writer.stop();
    System.out.printf(
        "%s: %d writes acknowledged, %d lost, longest gap %d ms%n",
        what, outcome.acknowledged(), outcome.lost().size(), outcome.longestGap().toMillis());
    assertThat(outcome.acknowledged()).isGreaterThan(10);
    assertThat(outcome.lost()).isEmpty();
  }

  private static String pid(Pod pod) {
    var run = Path.of(Engine.variable("INSTANCE_DIR"), "pods", "run", pod.getMetadata().getUid());
    try {
      return Files.readString(run.resolve("pid")).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean listens(String ip) {
    try (var socket = new Socket(ip, AGENT_PORT)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  private Pod now(Pod pod) {
    return shop.client.resource(pod).get();
  }

  private static boolean isReady(Pod pod) {
    return pod.getStatus().getConditions().stream()
        .anyMatch(one -> one.getType().equals("Ready") && one.getStatus().equals("True"));
  }

  private static int mostDownAtOnce(List<String> diary) {
    Set<String> down = new HashSet<>();
    var most = 0;
    for (var line : diary) {
      var words = line.split(" ", 2);
      if (words[1].equals("leaves")) {
        down.add(words[0]);
      } else {
        down.remove(words[0]);
      }
      most = Math.max(most, down.size());
    }
    return most;
  }

  private String primary() {
    var address = writer.primaryAddress().orElseThrow();
    return shop.pods("cache").stream()
        .filter(pod -> address.equals(pod.getStatus().getPodIP()))
        .map(pod -> pod.getMetadata().getName())
        .findFirst()
        .orElseThrow();
  }

  private void makePrimary(String pod) {
    var to = shop.client.pods().inNamespace(shop.namespace).withName(pod).get();
    var from = writer.primaryAddress().orElseThrow();
    var words = "redis-cli -h %s failover to %s 6379".formatted(from, to.getStatus().getPodIP());
    Engine.run(List.of(words.split(" ", -1)));
    await(pod + " primary")
        .atMost(PATIENCE)
        .ignoreExceptions()
        .untilAsserted(() -> assertThat(primary()).isEqualTo(pod));
  }

  private List<String> addresses() {
    return shop.pods("cache").stream()
        .map(Pod::getStatus)
        .map(status -> status.getPodIP())
        .filter(Objects::nonNull)
        .toList();
  }

  /** As dev/up has set the simulated nodes up. */
  private static boolean hasRedis() {
    try {
      var stages = Files.readString(Path.of(Engine.variable("INSTANCE_DIR"), "kwok.yaml"));
      return stages.contains("[\"redis\"]");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String app() {
    return shop.file("plugins/redis/app-replication.yaml");
  }
}
