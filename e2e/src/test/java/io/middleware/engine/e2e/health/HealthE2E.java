package io.middleware.engine.e2e.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.Shop;
import org.junit.jupiter.api.Test;

/** The pods' health shows in the status while no change runs. */
@EndToEnd
class HealthE2E {
  private final Shop shop;
  private final ShownHealth health;

  HealthE2E(Shop shop) {
    this.shop = shop;
    this.health = new ShownHealth(shop);
  }

  @Test
  void shouldTurnNotReadyAfterACrashAndBack() {
    // Given
    shop.apply(shop.small("one"));
    shop.awaitReady("one");
    // When
    health.crash(true);
    // Then
    await("Ready=False").until(() -> health.allReady("False"));
    assertThat(shop.status("one").phase()).isEqualTo("Degraded");
    // and back
    health.crash(false);
    await("Ready=True").until(() -> health.allReady("True"));
  }
}
