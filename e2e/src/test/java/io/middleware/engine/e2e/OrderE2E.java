package io.middleware.engine.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** Components go in the Plugin's order; pods go in their agents' order, or by name without it. */
@EndToEnd
@Order(1)
class OrderE2E {
  private static final String SENTINEL = "middleware.io/component=sentinel";
  private final Shop shop;

  OrderE2E(Shop shop) {
    this.shop = shop;
  }

  @Test
  void shouldBeginTheNextOnlyWhenTheOneBeforeIsReady() {
    // Given
    var story = new Story(shop).deployed();
    var upgrade = AuditLog.fromNow();
    try (var diary = new PodDiary(shop.client, shop.namespace)) {
      // When
      story.upgrading();
      // Then
      story.endsWell();
      assertThat(diary.lines()).isEqualTo(Story.oneByOne());
    }
    assertThat(steps(upgrade)).isEqualTo(groupByGroup());
    assertThat(Shop.condition(shop.app("cache"), "OrderDegraded")).isEmpty();
  }

  @Test
  void shouldGoByNameWhenNoAgentOfAGroupAnswers() {
    // Given
    var story = new Story(shop).deployed();
    var upgrade = AuditLog.fromNow();
    fault("dead", "-l", SENTINEL);
    // When
    story.upgrading();
    // Then
    var app = shop.awaitReady("cache");
    assertThat(upgrade.restarts(shop.namespace).subList(0, 3))
        .containsExactly("cache-sentinel-all-1", "cache-sentinel-all-2", "cache-sentinel-all-0");
    assertThat(upgrade.restarts(shop.namespace).subList(3, 9))
        .isEqualTo(Story.UPGRADE_ORDER.subList(3, 9));
    assertThat(Shop.condition(app, "OrderDegraded"))
        .hasValueSatisfying(
            degraded -> {
              assertThat(degraded.getStatus()).isEqualTo("True");
              assertThat(degraded.getReason()).isEqualTo("AgentsUnavailable");
              assertThat(degraded.getMessage())
                  .contains("the agent of pod cache-sentinel-all-")
                  .contains("fallback for upgrade: in name order");
            });
  }

  @Test
  void shouldAskTheNextAgentWhenOneIsSlow() {
    // Given
    deployThree();
    fault("slow", "one-sentinel-all-0");
    var upgrade = AuditLog.fromNow();
    // When
    shop.apply(three().replace("version: \"7.0\"", "version: \"7.2\""));
    // Then
    var app = shop.awaitReady("one");
    assertThat(upgrade.restarts(shop.namespace))
        .containsExactly("one-sentinel-all-1", "one-sentinel-all-2", "one-sentinel-all-0");
    assertThat(Shop.condition(app, "OrderDegraded")).isEmpty();
    assertThat(untilFirstRestart(upgrade))
        .isGreaterThan(Duration.ofSeconds(5)); // the patience for one call
  }

  @Test
  void shouldTakeTheNewPrimaryLastWhenRolesMoveMeanwhile() {
    // Given replicas 1 and 2 before primary 0, and a rest after 1
    deployThree();
    var upgrade = AuditLog.fromNow();
    try (var diary = new PodDiary(shop.client, shop.namespace)) {
      upgradeThree();
      awaitLine(diary, "one-sentinel-all-1 ready");
      // When
      shop.annotatePods("agent.local.middleware.io/promote=true", "one-sentinel-all-2");
      // Then
      shop.awaitReady("one");
    }
    assertThat(upgrade.restarts(shop.namespace))
        .containsExactly("one-sentinel-all-1", "one-sentinel-all-0", "one-sentinel-all-2");
    assertThat(Shop.condition(shop.app("one"), "OrderDegraded")).isEmpty();
  }

  @Test
  void shouldRepairAPodFirstThatWasInACrashLoopBefore() {
    // Given replicas 1 and 2 before primary 0
    deployThree();
    shop.annotatePods("local.middleware.io/crash=true", "one-sentinel-all-2");
    shop.awaitApp("one", app -> "2/3".equals(app.getStatus().ready()));
    var upgrade = AuditLog.fromNow();
    try (var diary = new PodDiary(shop.client, shop.namespace)) {
      // When
      shop.apply(three().replace("version: \"7.0\"", "version: \"7.2\""));
      // Then
      shop.awaitReady("one");
      assertThat(diary.lines())
          .containsExactly(
              "one-sentinel-all-2 leaves",
              "one-sentinel-all-2 ready",
              "one-sentinel-all-1 leaves",
              "one-sentinel-all-1 ready",
              "one-sentinel-all-0 leaves",
              "one-sentinel-all-0 ready");
    }
    assertThat(upgrade.restarts(shop.namespace))
        .containsExactly("one-sentinel-all-2", "one-sentinel-all-1", "one-sentinel-all-0");
  }

  @Test
  void shouldRepairAPodFirstThatBreaksMeanwhile() {
    // Given replicas 1 and 2 before primary 0, and a rest after 1
    deployThree();
    var upgrade = AuditLog.fromNow();
    try (var diary = new PodDiary(shop.client, shop.namespace)) {
      upgradeThree();
      awaitLine(diary, "one-sentinel-all-1 ready");
      // When
      shop.annotatePods("local.middleware.io/crash=true", "one-sentinel-all-0");
      // Then
      shop.awaitReady("one");
      assertThat(diary.lines())
          .containsExactly(
              "one-sentinel-all-1 leaves",
              "one-sentinel-all-1 ready",
              "one-sentinel-all-0 leaves",
              "one-sentinel-all-0 ready",
              "one-sentinel-all-2 leaves",
              "one-sentinel-all-2 ready");
    }
    assertThat(upgrade.restarts(shop.namespace))
        .containsExactly("one-sentinel-all-1", "one-sentinel-all-0", "one-sentinel-all-2");
  }

  private void deployThree() {
    shop.apply(three());
    shop.awaitReady("one");
  }

  private void upgradeThree() {
    shop.apply(
        three()
            .replace("version: \"7.0\"", "version: \"7.2\"")
            .replace("  components:", "  change: {interval: 15s}\n  components:"));
  }

  private Yaml three() {
    return shop.small("one").replace("replicas: 1", "replicas: 3");
  }

  private static void awaitLine(PodDiary diary, String line) {
    await(line)
        .atMost(Shop.PATIENCE)
        .pollInterval(Duration.ofMillis(20))
        .until(() -> diary.lines().contains(line));
  }

  private void fault(String fault, String... pods) {
    shop.annotatePods("agent.local.middleware.io/fault=" + fault, pods);
  }

  private Duration untilFirstRestart(AuditLog upgrade) {
    var writes = upgrade.writes(shop.namespace);
    var applied =
        writes.stream().filter(w -> w.resource().equals("statefulsets")).findFirst().orElseThrow();
    var evicted =
        writes.stream().filter(w -> w.resource().equals("pods/eviction")).findFirst().orElseThrow();
    return Duration.between(applied.at(), evicted.at());
  }

  /** What is written to workloads and pods, in this order. */
  private List<String> steps(AuditLog upgrade) {
    return upgrade.writes(shop.namespace).stream()
        .filter(w -> w.resource().equals("statefulsets") || w.resource().equals("pods/eviction"))
        .map(AuditLog.Entry::name)
        .toList();
  }

  /** Of each group first the workload, then its pods; only then the next group. */
  private static List<String> groupByGroup() {
    var pods = Story.UPGRADE_ORDER;
    return Stream.of(0, 3, 6)
        .flatMap(
            first -> {
              var name = pods.get(first);
              return Stream.concat(
                  Stream.of(name.substring(0, name.lastIndexOf('-'))),
                  pods.subList(first, first + 3).stream());
            })
        .toList();
  }
}
