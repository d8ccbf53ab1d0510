package io.middleware.engine.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.Group;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** The pods' health shows in the status while no change runs. */
@EndToEnd
@Measured
class HealthE2E {
  private final Shop shop;

  HealthE2E(Shop shop) {
    this.shop = shop;
  }

  @Test
  void shouldTurnNotReadyAfterACrashAndBack() {
    // Given
    shop.apply(shop.small("one"));
    shop.awaitReady("one");
    // When
    crash("true");
    // Then
    Awaitility.await("Ready=False").until(() -> allReady("False"));
    assertThat(shop.status("one").phase()).isEqualTo("Degraded");
    // and back
    crash("false");
    Awaitility.await("Ready=True").until(() -> allReady("True"));
  }

  @Test
  void shouldShowHealthWhileTemporalNeverAnswersAndWhatTheEditWaitsFor() {
    // Given a Temporal that accepts connections and never answers
    shop.apply(shop.small("one"));
    shop.awaitReady("one");
    var silence =
        CompletableFuture.runAsync(() -> Engine.freeze("temporal", Duration.ofSeconds(25)));
    Awaitility.await().pollDelay(Duration.ofSeconds(1)).until(() -> true);
    // When
    shop.apply(shop.small("one").plus("  change: {maxRetries: 2}\n"));
    Awaitility.await().pollDelay(Duration.ofSeconds(1)).until(() -> true);
    crash("true");
    // Then
    Awaitility.await("Ready=False").until(() -> allReady("False"));
    crash("false");
    var waiting = shop.awaitApp("one", app -> Shop.condition(app, "Submitted").isPresent());
    assertThat(silence).isNotDone();
    assertThat(Shop.condition(waiting, "Submitted").orElseThrow().getMessage())
        .startsWith("generation 2 could not be submitted to Temporal");
    // and then
    silence.join();
    shop.awaitReady("one");
    shop.awaitApp("one", app -> Shop.condition(app, "Submitted").isEmpty());
  }

  private void crash(String value) {
    shop.client
        .pods()
        .inNamespace(shop.namespace)
        .withName("one-sentinel-all-0")
        .edit(
            pod ->
                new PodBuilder(pod)
                    .editMetadata()
                    .addToAnnotations("local.middleware.io/crash", value)
                    .endMetadata()
                    .build());
  }

  private boolean allReady(String wanted) {
    var client = shop.client;
    var group =
        client
            .resources(Group.class)
            .inNamespace(shop.namespace)
            .withName("one-sentinel-all")
            .get();
    var component =
        client
            .resources(Component.class)
            .inNamespace(shop.namespace)
            .withName("one-sentinel")
            .get();
    App app = shop.app("one");
    return isReady(group.getStatus().conditions(), wanted)
        && isReady(component.getStatus().conditions(), wanted)
        && isReady(app.getStatus().conditions(), wanted);
  }

  private static boolean isReady(List<Condition> conditions, String wanted) {
    return conditions.stream()
        .anyMatch(c -> c.getType().equals("Ready") && c.getStatus().equals(wanted));
  }
}
