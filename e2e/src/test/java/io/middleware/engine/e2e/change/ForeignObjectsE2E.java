package io.middleware.engine.e2e.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.Shop;
import io.middleware.engine.e2e.Yaml;
import org.junit.jupiter.api.Test;

/** An object of somebody else under the name of a rendered object is not changed. */
@EndToEnd
class ForeignObjectsE2E {
  private static final String CONFIG = "one-redis-nodes-all-config";

  private final Shop shop;

  ForeignObjectsE2E(Shop shop) {
    this.shop = shop;
  }

  @Test
  void shouldLeaveAloneWhatWasThereBefore() {
    // Given
    var foreign = foreign();
    // When
    shop.apply(redis());
    // Then
    var task = shop.awaitTask("one", "1-provision-redis-nodes", "Failed");
    assertThat(task.error().reason()).isEqualTo("Invalid");
    assertThat(task.error().message())
        .isEqualTo(
            "ConfigMap %s/%s already exists and does not belong to this group: it is written by"
                + " kubectl-create and owned by nobody; rename it or delete it",
            shop.namespace, CONFIG);
    assertThat(config()).isEqualTo(foreign);
    // and when the App is deleted
    delete();
    assertThat(config()).isEqualTo(foreign);
  }

  @Test
  void shouldLeaveAloneWhatHasBeenTakenOver() {
    // Given
    shop.apply(redis());
    shop.awaitReady("one");
    shop.kubectl("", "delete", "configmap", CONFIG, "-n", shop.namespace);
    var foreign = foreign();
    // When
    shop.apply(redis().replace("maxmemory: 100mb", "maxmemory: 200mb"));
    // Then
    var task = shop.awaitTask("one", "2-config-redis-nodes", "Failed");
    assertThat(task.error().message())
        .contains("ConfigMap", CONFIG, "does not belong to this group");
    assertThat(config()).isEqualTo(foreign);
    // and when the App is deleted
    delete();
    assertThat(config()).isEqualTo(foreign);
    assertThat(shop.client.apps().statefulSets().inNamespace(shop.namespace).list().getItems())
        .isEmpty();
  }

  /** An object of one's own; no field of it is in the engine's way. */
  private ConfigMap foreign() {
    shop.kubectl(
        "", "create", "configmap", CONFIG, "-n", shop.namespace, "--from-literal=mine=untouched");
    return config();
  }

  private ConfigMap config() {
    return shop.client.configMaps().inNamespace(shop.namespace).withName(CONFIG).get();
  }

  private void delete() {
    shop.kubectl("", "delete", "app", "one", "-n", shop.namespace, "--timeout=4m");
  }

  private Yaml redis() {
    return shop.small("one")
        .replace("name: sentinel", "{name: redis-nodes, type: redis, values: {maxmemory: 100mb},")
        .replace(
            "groups: [{name: all, replicas: 1}]",
            "groups: [{name: all, replicas: 1, storage: {size: 1Gi}}]}");
  }
}
