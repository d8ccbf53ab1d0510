package io.middleware.engine.e2e.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.middleware.engine.api.change.TaskStatus;
import io.middleware.engine.e2e.AuditLog;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.Shop;
import io.middleware.engine.e2e.Volumes;
import io.middleware.engine.e2e.Yaml;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** Volumes grow under the pods that use them. */
@EndToEnd
@Order(1)
class StorageE2E {
  private static final String LOG = "log-cache-redis-nodes-shard-0-";

  private final Shop shop;
  private final Volumes volumes;

  StorageE2E(Shop shop) {
    this.shop = shop;
    this.volumes = new Volumes(shop);
  }

  @Test
  void shouldGrowVolumesAndLeaveThePodsAlone() {
    // Given
    shop.apply(shop.cache());
    shop.awaitReady("cache");
    var growth = AuditLog.fromNow();
    var pods = volumes.podUids();
    var sets = volumes.sets().stream().map(set -> set.getMetadata().getUid()).toList();
    // When
    shop.apply(Volumes.grown(shop.cache()));
    // Then
    var app = shop.awaitReady("cache");
    assertThat(app.getStatus().tasks())
        .extracting(TaskStatus::id, TaskStatus::description, TaskStatus::status)
        .containsExactly(
            tuple(
                "2-storage-redis-nodes",
                "storage of redis-nodes/shard-0: 1Gi → 2Gi;"
                    + " storage of redis-nodes/shard-1: 1Gi → 2Gi",
                "Done"));
    volumes.areAll("2Gi", 6);
    assertThat(volumes.podUids()).isEqualTo(pods);
    assertThat(volumes.sets())
        .extracting(set -> set.getMetadata().getUid())
        .doesNotContainAnyElementsOf(sets);
    assertThat(growth.restarts(shop.namespace)).isEmpty();
    volumes.grewOnce(growth);
    // and pods that come later have volumes as large
    shop.apply(
        Volumes.grown(shop.cache())
            .replace("name: shard-1, replicas: 3", "name: shard-1, replicas: 4"));
    assertThat(shop.awaitReady("cache").getStatus().ready()).isEqualTo("10/10");
    volumes.areAll("2Gi", 7);
    assertThat(growth.restarts(shop.namespace)).isEmpty();
  }

  @Test
  void shouldGrowOneOfTheVolumesOfAPod() {
    // Given a group with a second volume, and one without it
    shop.applyPlugin(withLog(shop.sample("plugin-redis.yaml")));
    shop.apply(cacheWithLog("1Gi"));
    shop.awaitReady("cache");
    var growth = AuditLog.fromNow();
    var pods = volumes.podUids();
    assertThat(volumes.sizes()).hasSize(9).containsEntry(LOG + 0, "1Gi of 1Gi");
    // When
    shop.apply(cacheWithLog("3Gi"));
    // Then
    var app = shop.awaitReady("cache");
    assertThat(app.getStatus().tasks())
        .extracting(TaskStatus::description, TaskStatus::status)
        .containsExactly(tuple("volume log of redis-nodes/shard-0: 1Gi → 3Gi", "Done"));
    assertThat(volumes.sizes())
        .allSatisfy(
            (name, is) ->
                assertThat(is).isEqualTo(name.startsWith(LOG) ? "3Gi of 3Gi" : "1Gi of 1Gi"));
    assertThat(growth.names(shop.namespace, "persistentvolumeclaims", "patch"))
        .containsExactlyInAnyOrder(LOG + 0, LOG + 1, LOG + 2);
    assertThat(growth.names(shop.namespace, "statefulsets", "delete"))
        .containsExactly("cache-redis-nodes-shard-0");
    assertThat(volumes.podUids()).isEqualTo(pods);
    assertThat(growth.restarts(shop.namespace)).isEmpty();
    // and a pod that comes later has volumes of both sizes
    shop.apply(
        cacheWithLog("3Gi").replace("name: shard-0, replicas: 3", "name: shard-0, replicas: 4"));
    assertThat(shop.awaitReady("cache").getStatus().ready()).isEqualTo("10/10");
    assertThat(volumes.sizes())
        .hasSize(11)
        .containsEntry(LOG + 3, "3Gi of 3Gi")
        .containsEntry("data-cache-redis-nodes-shard-0-3", "1Gi of 1Gi");
    assertThat(growth.restarts(shop.namespace)).isEmpty();
  }

  private Yaml cacheWithLog(String size) {
    return shop.cache()
        .replace("version: 1.0.0", "version: 1.0.0-log")
        .replace(
            "name: shard-0, replicas: 3, storage: {size: 1Gi},",
            "name: shard-0, replicas: 3, storage: {size: 1Gi}, volumes: [{name: log, size: %s}],"
                .formatted(size));
  }

  private static Yaml withLog(Yaml plugin) {
    var ifGiven = "\"${has(volumes.log) ? optional.of(%s) : optional.none()}\"";
    var mount = ifGiven.formatted("{'name': 'log', 'mountPath': '/log'}");
    var template =
        ifGiven.formatted(
            "{'metadata': {'name': 'log'}, 'spec': {'accessModes': ['ReadWriteOnce'],"
                + " 'storageClassName': volumes.log.storageClassName,"
                + " 'resources': {'requests': {'storage': volumes.log.size}}}}");
    return plugin
        .replace("redis-v1.0.0", "redis-v1.0.0-log")
        .replace("version: 1.0.0", "version: 1.0.0-log")
        .replace(
            "    values: {}\n",
            "    values: {}\n    volumes: [{name: data, default: true, required: true}, {name: log}]\n")
        .replace(
            "{name: config, mountPath: /etc/redis}]",
            "{name: config, mountPath: /etc/redis}, %s]".formatted(mount))
        .replace(
            "{requests: {storage: \"${storage.size}\"}}\n",
            "{requests: {storage: \"${storage.size}\"}}\n          - %s\n".formatted(template));
  }
}
