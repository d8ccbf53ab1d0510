package io.middleware.engine.e2e.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.middleware.engine.e2e.AuditLog;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.HeldPod;
import io.middleware.engine.e2e.PodDiary;
import io.middleware.engine.e2e.Shop;
import io.middleware.engine.e2e.Story;
import io.middleware.engine.e2e.Yaml;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** Components go in the Plugin's order; pods go in their agents' order. */
@EndToEnd
@Order(1)
class OrderE2E {
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
      assertThat(diary.firstTimes()).isEqualTo(Story.oneByOne());
    }
    assertThat(steps(upgrade)).isEqualTo(groupByGroup());
    assertThat(Shop.condition(shop.app("cache"), "OrderDegraded")).isEmpty();
  }

  @Test
  void shouldTakeTheNewPrimaryLastWhenRolesMoveMeanwhile() {
    // Given replicas 1 and 2 before primary 0, and an upgrade that waits for the end of 1
    shop.apply(three());
    shop.awaitReady("one");
    var upgrade = AuditLog.fromNow();
    var held = HeldPod.hold(shop, "one-sentinel-all-1");
    shop.apply(three().replace("version: \"7.0\"", "version: \"7.2\""));
    await("the first eviction").until(() -> !upgrade.restarts(shop.namespace).isEmpty());
    // When
    shop.annotatePods("agent.local.middleware.io/promote=true", "one-sentinel-all-2");
    await("another primary")
        .until(() -> shop.primaries("one-sentinel-all").equals(List.of("one-sentinel-all-2")));
    held.release();
    // Then
    shop.awaitReady("one");
    assertThat(upgrade.restarts(shop.namespace))
        .containsExactly("one-sentinel-all-1", "one-sentinel-all-0", "one-sentinel-all-2");
    assertThat(Shop.condition(shop.app("one"), "OrderDegraded")).isEmpty();
  }

  private Yaml three() {
    return shop.small("one").replace("replicas: 1", "replicas: 3");
  }

  /** What is written to workloads and pods, in this order. */
  private List<String> steps(AuditLog upgrade) {
    return upgrade.writes(shop.namespace).stream()
        .filter(w -> w.resource().equals("statefulsets") || w.resource().equals("pods/eviction"))
        .map(AuditLog.Entry::name)
        .distinct() // a step that is repeated applies a workload again
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
