package io.middleware.engine.e2e.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.middleware.engine.api.operation.RebuildStatus;
import io.middleware.engine.e2e.AppOperation;
import io.middleware.engine.e2e.AuditLog;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.PodDiary;
import io.middleware.engine.e2e.Shop;
import io.middleware.engine.e2e.Story;
import io.middleware.engine.e2e.Volumes;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Operations make replicas anew, each with an empty volume, and touch no other pod. */
@EndToEnd
class RebuildE2E {
  private static final String ONE = "cache-redis-nodes-shard-0-1";
  private static final String TWO = "cache-redis-nodes-shard-0-2";

  private final Shop shop;
  private final Volumes volumes;

  RebuildE2E(Shop shop) {
    this.shop = shop;
    this.volumes = new Volumes(shop);
  }

  @Test
  void shouldMakeReplicasAnewOneAfterTheOther() {
    // Given
    new Story(shop).deployed();
    var before = uids();
    var audit = AuditLog.fromNow();
    try (var diary = new PodDiary(shop.client, shop.namespace)) {
      // When
      var status =
          new AppOperation(shop, "rebuild-1", "Rebuild")
              .apply(", target: {component: redis-nodes, pods: [%s, %s]}".formatted(TWO, ONE))
              .ends("Succeeded");
      // Then
      assertThat(diary.firstTimes())
          .containsExactly(ONE + " leaves", ONE + " ready", TWO + " leaves", TWO + " ready");
      assertThat(status.tasks().getFirst().description())
          .isEqualTo("rebuild redis-nodes: pods %s, %s".formatted(TWO, ONE));
      assertThat(status.rebuilds())
          .extracting(RebuildStatus::pod, RebuildStatus::uid)
          .containsExactlyInAnyOrder(tuple(ONE, before.get(ONE)), tuple(TWO, before.get(TWO)));
    }
    assertThat(changed(before)).containsExactlyInAnyOrder(ONE, TWO, "data-" + ONE, "data-" + TWO);
    assertThat(audit.restarts(shop.namespace)).containsExactly(ONE, TWO);
    assertThat(audit.names(shop.namespace, "persistentvolumeclaims", "delete").stream().distinct())
        .containsExactly("data-" + ONE, "data-" + TWO);
    assertThat(shop.awaitReady("cache").getStatus().operation()).isNull();
    assertThat(shop.events("cache", "PodRebuilt")).hasSize(2);
  }

  /** Of the pods and the volume claims, by name. */
  private Map<String, String> uids() {
    return Stream.<HasMetadata>concat(shop.pods("cache").stream(), volumes.claims().stream())
        .map(HasMetadata::getMetadata)
        .collect(Collectors.toMap(it -> it.getName(), it -> it.getUid()));
  }

  private List<String> changed(Map<String, String> before) {
    var now = uids();
    return before.keySet().stream()
        .filter(name -> !before.get(name).equals(now.get(name)))
        .toList();
  }
}
