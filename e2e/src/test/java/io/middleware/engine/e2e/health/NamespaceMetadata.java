package io.middleware.engine.e2e.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.middleware.engine.api.Labels;
import io.middleware.engine.e2e.Shop;
import java.util.List;

/** The ConfigMap that says what runs where in the namespace of a shop. */
record NamespaceMetadata(Shop shop) {

  /** Has small Apps of these names Ready, and in the ConfigMap. */
  void deploy(String... apps) {
    List.of(apps).forEach(app -> shop.apply(shop.small(app)));
    List.of(apps).forEach(shop::awaitReady);
    awaitKeys(apps);
  }

  /** Waits until it is about these Apps and no others, and names their primaries. */
  void awaitKeys(String... apps) {
    await("metadata of " + List.of(apps))
        .ignoreExceptions()
        .untilAsserted(
            () -> {
              var entries = map(Labels.METADATA).getData();
              assertThat(entries).containsOnlyKeys(apps);
              assertThat(entries.values())
                  .allSatisfy(entry -> assertThat(entry).contains("primary"));
            });
  }

  /** The one of this name; null if there is none. */
  ConfigMap map(String name) {
    return shop.client.configMaps().inNamespace(shop.namespace).withName(name).get();
  }
}
