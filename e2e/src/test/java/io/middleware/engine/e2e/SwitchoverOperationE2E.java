package io.middleware.engine.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Pod;
import io.middleware.engine.api.SwitchoverStatus;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Operations hand primaries over, and touch no pod. */
@EndToEnd
class SwitchoverOperationE2E {
  private static final String TOOK_OVER = "agent.local.middleware.io/took-over-from";
  private static final String COMPONENT = ", target: {component: redis-nodes}";

  private final Shop shop;
  private final AppOperation switchover;
  private AuditLog audit;

  SwitchoverOperationE2E(Shop shop) {
    this.shop = shop;
    this.switchover = new AppOperation(shop, "switchover-1", "Switchover");
  }

  @BeforeEach
  void deploy() {
    new Story(shop).deployed();
    audit = AuditLog.fromNow();
  }

  @Test
  void shouldHandOverThePrimaryOfEachGroup() {
    // When
    var status = switchover.apply(COMPONENT).ends("Succeeded");
    // Then
    assertThat(status.switchovers())
        .extracting(SwitchoverStatus::group, SwitchoverStatus::from, SwitchoverStatus::to)
        .containsExactlyInAnyOrder(
            tuple("shard-0", "cache-redis-nodes-shard-0-0", "cache-redis-nodes-shard-0-1"),
            tuple("shard-1", "cache-redis-nodes-shard-1-0", "cache-redis-nodes-shard-1-1"));
    assertThat(tookOver())
        .containsExactly("cache-redis-nodes-shard-0-1", "cache-redis-nodes-shard-1-1");
    assertThat(audit.restarts(shop.namespace)).isEmpty();
    assertThat(shop.awaitReady("cache").getStatus().operation()).isNull();
    assertThat(shop.events("cache", "PrimarySwitchedOver")).hasSize(2);
  }

  @Test
  void shouldHandOverToTheNamedPod() {
    // When
    var status = switchover.apply(to("cache-redis-nodes-shard-1-2")).ends("Succeeded");
    // Then
    assertThat(status.tasks().getFirst().description())
        .isEqualTo("switchover redis-nodes: to pod cache-redis-nodes-shard-1-2");
    assertThat(tookOver()).containsExactly("cache-redis-nodes-shard-1-2");
    // and another one to the pod that is the primary already
    var again = new AppOperation(shop, "switchover-2", "Switchover");
    assertThat(again.apply(to("cache-redis-nodes-shard-1-2")).ends("Succeeded").switchovers())
        .extracting(SwitchoverStatus::from, SwitchoverStatus::to)
        .containsExactly(tuple("cache-redis-nodes-shard-1-2", "cache-redis-nodes-shard-1-2"));
    assertThat(tookOver()).hasSize(1);
  }

  @Test
  void shouldSayWhyAPrimaryRefuses() {
    // Given
    fault("switchover-refused");
    // When
    var status = switchover.apply(to("cache-redis-nodes-shard-0-1")).ends("Failed");
    // Then
    assertThat(status.reason()).isEqualTo("AgentRefused");
    assertThat(status.message())
        .contains("pod cache-redis-nodes-shard-0-0 is still the primary of group shard-0")
        .contains("no replica has caught up");
    assertThat(tookOver()).isEmpty();
    assertThat(shop.awaitReady("cache").getStatus().operation()).isNull();
  }

  @Test
  void shouldNameThePodsThatThereAre() {
    assertThat(switchover.apply(to("cache-redis-nodes-shard-0-7")).ends("Rejected").message())
        .isEqualTo(
            "spec.target.pods: the target has no pod cache-redis-nodes-shard-0-7; there are:"
                + " cache-redis-nodes-shard-0-0; cache-redis-nodes-shard-0-1;"
                + " cache-redis-nodes-shard-0-2; and 3 more");
  }

  @Test
  void shouldHandOverOnceWhenItsRunIsTerminated() {
    // Given a switchover that takes its time
    fault("switchover-slow");
    switchover.apply(", target: {component: redis-nodes, groups: [shard-0]}");
    await("it has begun")
        .atMost(Shop.PATIENCE)
        .until(() -> switchover.status() != null && switchover.status().switchovers() != null);
    // When
    Engine.run(
        List.of(
            "temporal", "workflow", "terminate", "-w", "app/%s/cache".formatted(shop.namespace)));
    // Then
    var status = switchover.ends("Succeeded");
    assertThat(status.switchovers())
        .extracting(SwitchoverStatus::from, SwitchoverStatus::to)
        .containsExactly(tuple("cache-redis-nodes-shard-0-0", "cache-redis-nodes-shard-0-1"));
    assertThat(tookOver()).containsExactly("cache-redis-nodes-shard-0-1");
  }

  private static String to(String pod) {
    return ", target: {component: redis-nodes, pods: [%s]}".formatted(pod);
  }

  private void fault(String fault) {
    shop.annotatePods("agent.local.middleware.io/fault=" + fault, "cache-redis-nodes-shard-0-0");
  }

  private List<String> tookOver() {
    return shop.pods("cache").stream()
        .map(Pod::getMetadata)
        .filter(pod -> pod.getAnnotations().containsKey(TOOK_OVER))
        .map(pod -> pod.getName())
        .sorted()
        .toList();
  }
}
