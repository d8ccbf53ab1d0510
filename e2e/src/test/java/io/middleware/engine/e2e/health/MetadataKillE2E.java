package io.middleware.engine.e2e.health;

import io.middleware.engine.api.App;
import io.middleware.engine.e2e.Disruptive;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.Engine;
import io.middleware.engine.e2e.InTurn;
import io.middleware.engine.e2e.Shop;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The ConfigMap of a namespace follows its Apps while no worker runs. */
@EndToEnd
@Disruptive("stops the worker")
@InTurn(0)
class MetadataKillE2E {
  private final Shop shop;
  private final NamespaceMetadata metadata;

  MetadataKillE2E(Shop shop) {
    this.shop = shop;
    this.metadata = new NamespaceMetadata(shop);
  }

  @Test
  void shouldDropTheKeyOfAnAppThatGoesByForce() {
    // Given
    metadata.deploy("one", "two");
    Engine.dev("stop", "worker");
    try {
      // When
      shop.kubectl("", "delete", "app", "one", "-n", shop.namespace, "--wait=false");
      shop.client
          .resources(App.class)
          .inNamespace(shop.namespace)
          .withName("one")
          .edit(MetadataKillE2E::withoutFinalizers);
      // Then
      metadata.awaitKeys("two");
    } finally {
      Engine.dev("start", "worker");
    }
  }

  private static App withoutFinalizers(App app) {
    app.getMetadata().setFinalizers(List.of());
    return app;
  }
}
