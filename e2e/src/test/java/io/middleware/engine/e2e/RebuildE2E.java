package io.middleware.engine.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.middleware.engine.api.RebuildStatus;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Operations make replicas anew, each with an empty volume, and touch no other pod. */
@EndToEnd
class RebuildE2E {
  private static final String ONE = "cache-redis-nodes-shard-0-1";
  private static final String TWO = "cache-redis-nodes-shard-0-2";

  private final Shop shop;
  private final Volumes volumes;
  private final AppOperation rebuild;
  private Map<String, String> before;
  private AuditLog audit;

  RebuildE2E(Shop shop) {
    this.shop = shop;
    this.volumes = new Volumes(shop);
    this.rebuild = new AppOperation(shop, "rebuild-1", "Rebuild");
  }

  @BeforeEach
  void deploy() {
    new Story(shop).deployed();
    before = uids();
    audit = AuditLog.fromNow();
  }

  @Test
  void shouldMakeReplicasAnewOneAfterTheOther() {
    try (var diary = new PodDiary(shop.client, shop.namespace)) {
      // When
      var status = rebuild.apply(of(TWO, ONE)).ends("Succeeded");
      // Then
      assertThat(diary.lines())
          .containsExactly(ONE + " leaves", ONE + " ready", TWO + " leaves", TWO + " ready");
      assertThat(status.tasks().getFirst().description())
          .isEqualTo("rebuild redis-nodes: pods %s, %s".formatted(TWO, ONE));
      assertThat(status.rebuilds())
          .extracting(RebuildStatus::pod, RebuildStatus::uid)
          .containsExactlyInAnyOrder(tuple(ONE, before.get(ONE)), tuple(TWO, before.get(TWO)));
    }
    assertThat(changed()).containsExactlyInAnyOrder(ONE, TWO, "data-" + ONE, "data-" + TWO);
    onceEach(ONE, TWO);
    assertThat(shop.awaitReady("cache").getStatus().operation()).isNull();
    assertThat(shop.events("cache", "PodRebuilt")).hasSize(2);
  }

  @Test
  void shouldRefuseThePrimary() {
    // When
    var status = rebuild.apply(of("cache-redis-nodes-shard-1-0")).ends("Failed");
    // Then
    assertThat(status.reason()).isEqualTo("OperationRefused");
    assertThat(status.message())
        .contains(
            "pod cache-redis-nodes-shard-1-0 is the primary of group shard-1; hand it over with a Switchover first");
    assertThat(changed()).isEmpty();
    // and after a switchover
    new AppOperation(shop, "switchover-1", "Switchover")
        .apply(", target: {component: redis-nodes, groups: [shard-1]}")
        .ends("Succeeded");
    new AppOperation(shop, "rebuild-2", "Rebuild")
        .apply(of("cache-redis-nodes-shard-1-0"))
        .ends("Succeeded");
    assertThat(changed())
        .containsExactlyInAnyOrder(
            "cache-redis-nodes-shard-1-0", "data-cache-redis-nodes-shard-1-0");
  }

  @Test
  void shouldRefuseAPodThatTheTargetDoesNotHave() {
    assertThat(rebuild.apply(of("cache-sentinel-all-0")).ends("Rejected").message())
        .startsWith("spec.target.pods: the target has no pod cache-sentinel-all-0; there are: ");
    assertThat(changed()).isEmpty();
  }

  @Test
  void shouldRemoveEachPodOnceWhenItsRunIsTerminated() {
    // Given
    rebuild.apply(of(ONE, TWO));
    await("one pod removed")
        .atMost(Shop.PATIENCE)
        .until(() -> !audit.restarts(shop.namespace).isEmpty());
    // When
    Engine.run(
        List.of(
            "temporal", "workflow", "terminate", "-w", "app/%s/cache".formatted(shop.namespace)));
    // Then
    rebuild.ends("Succeeded");
    assertThat(changed()).containsExactlyInAnyOrder(ONE, TWO, "data-" + ONE, "data-" + TWO);
    onceEach(ONE, TWO);
  }

  private void onceEach(String... pods) {
    assertThat(audit.restarts(shop.namespace)).containsExactly(pods);
    assertThat(claims(audit.names(shop.namespace, "persistentvolumeclaims", "delete")))
        .containsExactlyElementsOf(Stream.of(pods).map(pod -> "data-" + pod).toList());
  }

  private static List<String> claims(Collection<String> names) {
    return names.stream().distinct().toList();
  }

  private static String of(String... pods) {
    return ", target: {component: redis-nodes, pods: [%s]}".formatted(String.join(", ", pods));
  }

  /** Of the pods and the volume claims, by name. */
  private Map<String, String> uids() {
    return Stream.<HasMetadata>concat(shop.pods("cache").stream(), volumes.claims().stream())
        .map(HasMetadata::getMetadata)
        .collect(Collectors.toMap(it -> it.getName(), it -> it.getUid()));
  }

  private List<String> changed() {
    var now = uids();
    return before.keySet().stream()
        .filter(name -> !before.get(name).equals(now.get(name)))
        .toList();
  }
}
