package io.middleware.engine.e2e.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.change.TaskStatus;
import io.middleware.engine.e2e.AuditLog;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.Shop;
import io.middleware.engine.e2e.Story;
import io.middleware.engine.e2e.Yaml;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * An App is deleted without its parts, and one of the same name is applied: what exists is led to
 * what the new one wants, in the order of any other change.
 */
@EndToEnd
class TakeOverE2E {
  private static final String NODES = "cache-redis-nodes-shard-0";

  private final Shop shop;

  TakeOverE2E(Shop shop) {
    this.shop = shop;
  }

  @Test
  void shouldCarryOutWhatTheNewAppWantsOtherwise() {
    // Given
    var first = shop.cache();
    shop.apply(first);
    shop.awaitReady("cache");
    var sentinels = uids("cache-sentinel");
    orphan();
    // When it has other values and more replicas
    var edited =
        first
            .replace("databases: 16", "databases: 32")
            .replace("{name: shard-0, replicas: 3", "{name: shard-0, replicas: 4");
    var edit = AuditLog.fromNow();
    shop.apply(edited);
    var app = shop.awaitReady("cache");
    // Then
    assertThat(edit.restarts(shop.namespace)).isEqualTo(Story.UPGRADE_ORDER.subList(3, 9));
    assertThat(tasks(app))
        .containsExactly("1-config-redis-nodes", "1-resources-redis-nodes", "1-reapply-sentinel");
    assertThat(app.getStatus().ready()).isEqualTo("10/10");
    assertThat(object(StatefulSet.class, NODES).getSpec().getReplicas()).isEqualTo(4);
    assertThat(object(ConfigMap.class, NODES + "-config").getData().get("redis.conf"))
        .contains("databases 32");
    assertThat(uids("cache-sentinel")).isEqualTo(sentinels);
    assertThat(List.of("cache-redis-nodes", "cache-sentinel"))
        .allSatisfy(name -> assertThat(owner(name)).isEqualTo(app.getMetadata().getUid()));
    // and when it has another version
    shouldUpgrade(edited);
    shouldRefuseToGoBack(edited);
  }

  /** The primary, which the change before has made the second pod, comes last. */
  private void shouldUpgrade(Yaml edited) {
    // When
    orphan();
    var upgrade = AuditLog.fromNow();
    shop.apply(edited.replace("version: \"7.0\"", "version: \"7.2\""));
    var upgraded = shop.awaitReady("cache");
    // Then
    assertThat(upgrade.restarts(shop.namespace))
        .hasSize(10)
        .doesNotHaveDuplicates()
        .startsWith("cache-sentinel-all-1", "cache-sentinel-all-2", "cache-sentinel-all-0")
        .containsSubsequence(NODES + "-0", NODES + "-2", NODES + "-3", NODES + "-1");
    assertThat(tasks(upgraded))
        .containsExactly("1-versionupgrade-sentinel", "1-versionupgrade-redis-nodes");
    assertThat(shop.pods("cache"))
        .extracting(pod -> pod.getSpec().getContainers().getFirst().getImage())
        .hasSize(10)
        .containsOnly("docker.io/library/redis:7.2");
  }

  private void shouldRefuseToGoBack(Yaml edited) {
    // When
    orphan();
    shop.apply(edited);
    // Then
    shop.awaitApp(
        "cache",
        it ->
            Shop.condition(it, "Accepted")
                .filter(accepted -> "UpgradeNotAllowed".equals(accepted.getReason()))
                .isPresent());
    assertThat(owner("cache-sentinel")).isNull();
    // and when it is corrected
    shop.apply(edited.replace("version: \"7.0\"", "version: \"7.2\""));
    assertThat(tasks(shop.awaitReady("cache")))
        .containsExactly("2-reapply-redis-nodes", "2-reapply-sentinel");
  }

  @Test
  void shouldDrainWhatTheNewAppDoesNotWantAndReplaceWhatWasEditedMeanwhile() {
    // Given
    var first = shop.cache();
    shop.apply(first);
    shop.awaitReady("cache");
    orphan();
    var lost = NODES + "-config";
    shop.kubectl("", "delete", "configmap", lost, "-n", shop.namespace);
    shop.kubectl("", "delete", "service", "cache-sentinel-all", "-n", shop.namespace);
    // When
    var edit = AuditLog.fromNow();
    shop.apply(first.replace("{name: shard-1, replicas: 3", "{name: shard-1, replicas: 2"));
    var app = shop.awaitReady("cache");
    // Then
    assertThat(edit.restarts(shop.namespace)).isEmpty();
    assertThat(tasks(app)).containsExactly("1-resources-redis-nodes", "1-reapply-sentinel");
    assertThat(object(ConfigMap.class, lost)).isNotNull();
    assertThat(shop.client.services().inNamespace(shop.namespace).withName("cache-sentinel-all"))
        .satisfies(service -> assertThat(service.get()).isNotNull());
    assertThat(shop.events("cache", "PodDrained"))
        .extracting(event -> event.getMessage())
        .containsExactly(
            "pod cache-redis-nodes-shard-1-2 is drained by its agent; it is removed next");
    // and when a whole component is not wanted any more
    shouldRemoveSentinel(first);
  }

  private void shouldRemoveSentinel(Yaml first) {
    // When
    orphan();
    var text = first.text();
    shop.apply(
        new Yaml(
            text.replaceFirst("(?s)  - name: sentinel\n.*?(?=  change:)", "")
                .replace("{name: shard-1, replicas: 3", "{name: shard-1, replicas: 2")));
    var smaller = shop.awaitReady("cache");
    // Then
    assertThat(tasks(smaller)).containsExactly("1-reapply-redis-nodes", "1-remove-sentinel");
    assertThat(object(Component.class, "cache-sentinel")).isNull();
    assertThat(shop.pods("cache")).hasSize(5);
    assertThat(
            shop.client
                .resources(PersistentVolumeClaim.class)
                .inNamespace(shop.namespace)
                .list()
                .getItems())
        .hasSize(6);
  }

  private void orphan() {
    shop.kubectl(
        "", "delete", "app", "cache", "-n", shop.namespace, "--cascade=orphan", "--timeout=4m");
  }

  private List<String> uids(String start) {
    return shop.pods("cache").stream()
        .map(Pod::getMetadata)
        .filter(pod -> pod.getName().startsWith(start))
        .map(pod -> pod.getUid())
        .sorted()
        .toList();
  }

  private String owner(String component) {
    return object(Component.class, component).getMetadata().getOwnerReferences().stream()
        .filter(owner -> "App".equals(owner.getKind()))
        .map(OwnerReference::getUid)
        .findFirst()
        .orElse(null);
  }

  private <T extends HasMetadata> T object(Class<T> kind, String name) {
    return shop.client.resources(kind).inNamespace(shop.namespace).withName(name).get();
  }

  private static List<String> tasks(App app) {
    return app.getStatus().tasks().stream().map(TaskStatus::id).toList();
  }
}
