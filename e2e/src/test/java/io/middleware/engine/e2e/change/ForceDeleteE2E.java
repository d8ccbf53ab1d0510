package io.middleware.engine.e2e.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.middleware.engine.api.Labels;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.Shop;
import org.junit.jupiter.api.Test;

/** A deletion that something blocks is forced: the App is removed and reports what remains. */
@EndToEnd
class ForceDeleteE2E {
  private static final String HOLD = "{\"metadata\":{\"finalizers\":[\"example.com/hold\"]}}";
  private static final String LET_GO = "{\"metadata\":{\"finalizers\":null}}";

  private final Shop shop;

  ForceDeleteE2E(Shop shop) {
    this.shop = shop;
  }

  @Test
  void shouldGiveUpWhatForeignFinalizersHold() {
    // Given
    deployed("held");
    patch("pod", "held-sentinel-all-0", HOLD);
    patch("service", "held-sentinel-all", HOLD);
    delete("held");
    await().until(() -> shop.pods("held").getFirst().isMarkedForDeletion());
    // When
    force("held");
    // Then
    assertThatItGoesAndTellsOf("held", "pod held-sentinel-all-0: ", "example.com/hold");
    assertThatItHasToldOf("held", "Service", "held by finalizer example.com/hold");
    // and when nothing holds them any more
    patch("pod", "held-sentinel-all-0", LET_GO);
    patch("service", "held-sentinel-all", LET_GO);
    deployed("held");
  }

  @Test
  void shouldGiveUpWhatTheAccountMayNotDelete() {
    // Given
    deployed("stripped");
    shop.kubectl("", "delete", "rolebinding", "middleware-deployer", "-n", shop.namespace);
    delete("stripped");
    shop.awaitApp("stripped", app -> Shop.condition(app, "TeardownBlocked").isPresent());
    // When
    force("stripped");
    // Then
    assertThatItGoesAndTellsOf("stripped", "StatefulSet", "forbidden");
    await().until(() -> shop.pods("stripped").isEmpty());
    // and the same name at once
    shop.grantRights();
    deployed("stripped");
  }

  @Test
  void shouldNotBeHinderedByATimeoutThatIsTooShort() {
    // Given
    shop.apply(shop.small("hasty").plus("  change: {timeouts: {Remove: 2s}}\n"));
    shop.awaitReady("hasty");
    patch("pod", "hasty-sentinel-all-0", HOLD);
    force("hasty");
    // When
    delete("hasty");
    // Then
    assertThatItGoesAndTellsOf("hasty", "pod hasty-sentinel-all-0: ", "example.com/hold");
    patch("pod", "hasty-sentinel-all-0", LET_GO);
  }

  private void deployed(String app) {
    shop.apply(shop.small(app));
    shop.awaitReady(app);
  }

  private void delete(String app) {
    shop.kubectl("", "delete", "app", app, "-n", shop.namespace, "--wait=false");
  }

  private void force(String app) {
    shop.annotate(app, Labels.FORCE_DELETE, "true");
  }

  private void patch(String kind, String name, String patch) {
    shop.kubectl("", "patch", kind, name, "-n", shop.namespace, "--type=merge", "-p=" + patch);
  }

  private void assertThatItGoesAndTellsOf(String app, String object, String why) {
    await("App gone").until(() -> shop.app(app) == null);
    assertThatItHasToldOf(app, object, why);
  }

  private void assertThatItHasToldOf(String app, String object, String why) {
    await("event")
        .untilAsserted(
            () ->
                assertThat(shop.events(app, "TeardownGivenUp"))
                    .anySatisfy(
                        event -> assertThat(event.getMessage()).contains(object).contains(why))
                    .allSatisfy(event -> assertThat(event.getType()).isEqualTo("Warning")));
  }
}
