package io.middleware.engine.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** The story of most tests: the usual App is deployed, then upgraded while something happens. */
public final class Story {
  /** Replicas before the primary, sentinel first: the plugin's order and the agents'. */
  public static final List<String> UPGRADE_ORDER =
      List.of(
          "cache-sentinel-all-1",
          "cache-sentinel-all-2",
          "cache-sentinel-all-0",
          "cache-redis-nodes-shard-0-1",
          "cache-redis-nodes-shard-0-2",
          "cache-redis-nodes-shard-0-0",
          "cache-redis-nodes-shard-1-1",
          "cache-redis-nodes-shard-1-2",
          "cache-redis-nodes-shard-1-0");

  private final Shop shop;
  private AuditLog upgrade;

  /** As {@link PodDiary} records it: the next pod leaves only when the previous one is ready. */
  public static List<String> oneByOne() {
    return UPGRADE_ORDER.stream()
        .flatMap(pod -> Stream.of(pod + " leaves", pod + " ready"))
        .toList();
  }

  public Story(Shop shop) {
    this.shop = shop;
  }

  public Story deployed() {
    shop.apply(shop.cache());
    shop.awaitReady("cache");
    upgrade = AuditLog.fromNow();
    return this;
  }

  public Story upgrading() {
    shop.apply(upgraded());
    return this;
  }

  /** The same with another field of {@code spec.change}. */
  public Story upgrading(String field) {
    shop.apply(upgraded().replace("change: {", "change: {" + field + ", "));
    return this;
  }

  public Yaml upgraded() {
    return shop.cache().replace("version: \"7.0\"", "version: \"7.2\"");
  }

  /** What happens to the pods from now on. */
  public PodDiary diary() {
    return new PodDiary(shop.client, shop.namespace);
  }

  /** Waits until so many pods have been restarted by the upgrade. */
  public Story afterRestarts(int count) {
    await(count + " restarts")
        .atMost(Shop.PATIENCE)
        .pollInterval(Duration.ofMillis(20))
        .until(() -> upgrade.restarts(shop.namespace).size() >= count);
    return this;
  }

  /** The upgrade ends Ready; every pod was restarted once, in order, on the new version. */
  public void endsWell() {
    endsUpgraded();
    assertThat(upgrade.restarts(shop.namespace)).isEqualTo(UPGRADE_ORDER);
  }

  /**
   * The same where the API server was killed, which may have died before it noted what it had done
   * last: one restart may be missing.
   */
  public void endsWellAfterAKillOfTheApiServer() {
    endsUpgraded();
    var noted = upgrade.restarts(shop.namespace);
    assertThat(noted).hasSizeGreaterThanOrEqualTo(UPGRADE_ORDER.size() - 1);
    assertThat(UPGRADE_ORDER).containsSubsequence(noted);
  }

  private void endsUpgraded() {
    shop.awaitReady("cache");
    assertThat(shop.pods("cache"))
        .hasSize(9)
        .allSatisfy(
            pod ->
                assertThat(pod.getSpec().getContainers().getFirst().getImage()).endsWith(":7.2"));
  }
}
