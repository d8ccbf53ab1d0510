package io.middleware.engine.e2e.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Condition;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Labels;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.Shop;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** An App that could not be carried out as things were is planned again when they have changed. */
@EndToEnd
class ReplanE2E {
  /** Before this the clock alone plans nothing again. */
  private static final Duration FIRST_REPLAN = Duration.ofMinutes(1);

  private final Shop shop;

  ReplanE2E(Shop shop) {
    this.shop = shop;
  }

  @Test
  void shouldCarryOutAnAppThatCameBeforeItsPlugin() {
    // Given
    var plugin = "late-" + shop.namespace;
    shop.apply(
        shop.small("early")
            .replace("{name: redis, version: 1.0.0}", "{name: " + plugin + ", version: 1.0.0}"));
    var rejected = awaitRejected("early", "PluginNotFound");
    try {
      // When
      shop.applyPlugin(
          shop.sample("plugin-redis.yaml")
              .last()
              .replace("name: redis-v1.0.0", "name: " + plugin + "-v1.0.0")
              .replace(
                  "  name: redis\n  version: 1.0.0", "  name: " + plugin + "\n  version: 1.0.0"));
      // Then
      assertThatTheClockHasNotPlannedIt(rejected, awaitReady("early"));
    } finally {
      shop.kubectl("", "delete", "plugin", plugin + "-v1.0.0", "-n", "middleware-system");
    }
  }

  @Test
  void shouldCarryOutAnAppThatCameBeforeItsRightsByItselfAndAtOnceWhenAsked() {
    // Given
    shop.kubectl("", "delete", "rolebinding", "middleware-deployer", "-n", shop.namespace);
    shop.apply(shop.small("patient"));
    shop.apply(shop.small("asked"));
    awaitRejected("patient", "WriteForbidden");
    var rejected = awaitRejected("asked", "WriteForbidden");
    // When
    shop.grantRights();
    shop.annotate("asked", Labels.RETRY_CONTROL, "{}");
    // Then
    assertThatTheClockHasNotPlannedIt(rejected, awaitReady("asked"));
    awaitReady("patient");
    await("event")
        .untilAsserted(() -> assertThat(shop.events("asked", "RetryRequested")).hasSize(1));
  }

  /** By when the status says that it was rejected and accepted, however long the rest takes. */
  private static void assertThatTheClockHasNotPlannedIt(App rejected, App accepted) {
    assertThat(Duration.between(sinceAccepted(rejected), sinceAccepted(accepted)))
        .isLessThan(FIRST_REPLAN);
  }

  private static Instant sinceAccepted(App app) {
    return Instant.parse(Shop.condition(app, "Accepted").orElseThrow().getLastTransitionTime());
  }

  private App awaitRejected(String name, String reason) {
    return shop.awaitApp(
        name,
        app ->
            Shop.condition(app, "Accepted")
                .filter(accepted -> accepted.getStatus().equals("False"))
                .filter(accepted -> accepted.getReason().equals(reason))
                .isPresent());
  }

  private App awaitReady(String name) {
    return shop.awaitApp(name, ReplanE2E::isReady);
  }

  private static boolean isReady(App app) {
    return Shop.condition(app, "Ready")
        .map(Condition::getStatus)
        .filter("True"::equals)
        .isPresent();
  }
}
