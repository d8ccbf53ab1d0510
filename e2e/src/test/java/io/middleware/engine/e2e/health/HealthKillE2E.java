package io.middleware.engine.e2e.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.middleware.engine.e2e.Disruptive;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.Engine;
import io.middleware.engine.e2e.InTurn;
import io.middleware.engine.e2e.Shop;
import org.junit.jupiter.api.Test;

/** The pods' health shows in the status while Temporal does not answer. */
@EndToEnd
@Disruptive("freezes Temporal")
@InTurn(1)
class HealthKillE2E {
  private final Shop shop;
  private final ShownHealth health;

  HealthKillE2E(Shop shop) {
    this.shop = shop;
    this.health = new ShownHealth(shop);
  }

  @Test
  void shouldShowHealthWhileTemporalNeverAnswersAndWhatTheEditWaitsFor() {
    // Given a Temporal that accepts connections and never answers
    shop.apply(shop.small("one"));
    shop.awaitReady("one");
    Engine.whileFrozen(
        "temporal",
        () -> {
          // When
          shop.apply(shop.small("one").plus("  change: {maxRetries: 2}\n"));
          health.crash(true);
          // Then
          await("Ready=False").until(() -> health.allReady("False"));
          health.crash(false);
          var waiting = shop.awaitApp("one", app -> Shop.condition(app, "Submitted").isPresent());
          assertThat(Shop.condition(waiting, "Submitted").orElseThrow().getMessage())
              .startsWith("generation 2 could not be submitted to Temporal");
        });
    // and then
    shop.awaitReady("one");
    shop.awaitApp("one", app -> Shop.condition(app, "Submitted").isEmpty());
  }
}
