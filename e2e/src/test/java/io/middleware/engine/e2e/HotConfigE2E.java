package io.middleware.engine.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Event;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.PlannedPod;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Agents reload hot parameters in running pods; only other parameters need a restart. */
@EndToEnd
class HotConfigE2E {
  private static final String FAULT = "agent.local.middleware.io/fault";

  /** The pods that take a change of redis-nodes, in the agents' order. */
  private static final List<String> NODES = Story.UPGRADE_ORDER.subList(3, 9);

  private final Shop shop;
  private AuditLog audit;

  HotConfigE2E(Shop shop) {
    this.shop = shop;
  }

  @BeforeEach
  void open() {
    new Story(shop).deployed();
    audit = AuditLog.fromNow();
  }

  @Test
  void shouldPutHotValuesInForceWithoutARestart() {
    // When
    var begin = System.nanoTime();
    shop.apply(hot(shop.cache()));
    var applied = System.nanoTime();
    var app = shop.awaitReady("cache");
    var took = Duration.ofNanos(System.nanoTime() - applied);
    // Then
    System.out.printf(
        "hot change of 6 pods: %d ms from the apply, which took %d ms%n",
        took.toMillis(), Duration.ofNanos(applied - begin).toMillis());
    assertThat(app.getStatus().tasks())
        .extracting(task -> task.id(), task -> task.status(), task -> task.description())
        .containsExactly(
            tuple("2-config-redis-nodes", "Done", "maxmemory of redis-nodes: 100mb → 200mb (hot)"));
    assertThat(audit.restarts(shop.namespace)).isEmpty();
    assertThat(audit.writes(shop.namespace))
        .filteredOn(write -> write.resource().equals("configmaps"))
        .filteredOn(write -> !write.name().equals(Labels.METADATA))
        .hasSize(2);
    awaitReloads(NODES);
    assertThat(redisConf()).contains("maxmemory 200mb");
  }

  @Test
  void shouldRestartEachPodOnceWhereOtherValuesChangeAsWell() {
    // When
    shop.apply(hot(shop.cache()).replace("databases: 16", "databases: 32"));
    var app = shop.awaitReady("cache");
    // Then
    assertThat(app.getStatus().tasks())
        .extracting(task -> task.description())
        .containsExactly(
            "databases of redis-nodes: 16 → 32 (restart); maxmemory of redis-nodes: 100mb → 200mb"
                + " (hot)");
    assertThat(audit.restarts(shop.namespace)).isEqualTo(NODES);
    awaitReloads(NODES);
  }

  @Test
  void shouldShowForApprovalWhichPodsReload() {
    // When
    shop.apply(hot(shop.cache()).replace("change: {", "change: {approval: Manual, "));
    // Then
    var plan = shop.awaitApp("cache", app -> app.getStatus().plan() != null).getStatus().plan();
    assertThat(plan.pods())
        .extracting(PlannedPod::pod, PlannedPod::action)
        .containsExactlyInAnyOrderElementsOf(
            NODES.stream().map(pod -> tuple(pod, "Reload")).toList());
    assertThat(audit.operations(shop.namespace, "cache"))
        .noneMatch(write -> write.resource().equals("configmaps"));
  }

  @Test
  void shouldNameThePodThatRefusesAndGoOnWhereItAccepts() {
    // Given
    var pod = NODES.get(1);
    shop.annotatePods(FAULT + "=reload-refused", pod);
    // When
    shop.apply(hot(shop.cache()));
    // Then
    var failed = shop.awaitTask("cache", "2-config-redis-nodes", "Failed");
    assertThat(failed.error().reason()).isEqualTo("AgentRefused");
    assertThat(failed.error().message())
        .contains("the agent of pod " + pod)
        .contains("not accepted")
        .contains("nothing was restarted");
    assertThat(failed.attempts()).isEqualTo(1);
    // When
    shop.annotatePods(FAULT + "-", pod);
    shop.annotate("cache", Labels.RETRY_CONTROL, "{\"retryTaskIds\": [\"2-config-redis-nodes\"]}");
    // Then
    shop.awaitTask("cache", "2-config-redis-nodes", "Done");
    shop.awaitReady("cache");
    assertThat(audit.restarts(shop.namespace)).isEmpty();
    awaitReloads(NODES);
  }

  @Test
  void shouldPutTheFormerValuesInForceAgainWhenItIsCancelled() {
    // Given a change that is at its second pod
    shop.annotatePods(FAULT + "=slow", NODES.get(1));
    shop.apply(hot(shop.cache()));
    awaitReloads(NODES.subList(0, 1));
    shop.annotatePods(FAULT + "-", NODES.get(1));
    // When
    shop.annotate("cache", Labels.CANCEL_CONTROL, "{}");
    // Then
    shop.awaitTask("cache", "2-config-redis-nodes", "Cancelled");
    assertThat(audit.restarts(shop.namespace)).isEmpty();
    assertThat(redisConf()).contains("maxmemory 100mb");
    await("the way back")
        .until(
            () ->
                shop.events("cache", "PodReloaded").stream()
                    .map(HotConfigE2E::pod)
                    .sorted()
                    .toList()
                    .equals(
                        Stream.concat(NODES.stream().limit(1), NODES.stream().limit(3))
                            .sorted()
                            .toList()));
  }

  private static Yaml hot(Yaml app) {
    return app.replace("maxmemory: 100mb", "maxmemory: 200mb");
  }

  /** The engine records it once the pod's agent has reported the requested checksum. */
  private void awaitReloads(List<String> pods) {
    await("reloads of " + pods)
        .untilAsserted(
            () ->
                assertThat(shop.events("cache", "PodReloaded"))
                    .allMatch(
                        event -> event.getMessage().contains("appendonly, maxmemory into force"))
                    .extracting(HotConfigE2E::pod)
                    .containsAll(pods));
  }

  private static String pod(Event event) {
    return event.getMessage().split(" ")[1];
  }

  private String redisConf() {
    return shop.client
        .configMaps()
        .inNamespace(shop.namespace)
        .withName("cache-redis-nodes-shard-0-config")
        .get()
        .getData()
        .get("redis.conf");
  }
}
