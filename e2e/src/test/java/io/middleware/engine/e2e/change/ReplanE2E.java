package io.middleware.engine.e2e.change;

import static org.assertj.core.api.Assertions.assertThat;

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
    awaitRejected("early", "PluginNotFound");
    var began = Instant.now();
    try {
      // When
      shop.applyPlugin(
          shop.sample("plugin-redis.yaml")
              .last()
              .replace("name: redis-v1.0.0", "name: " + plugin + "-v1.0.0")
              .replace(
                  "  name: redis\n  version: 1.0.0", "  name: " + plugin + "\n  version: 1.0.0"));
      // Then
      awaitReady("early");
      assertThat(Duration.between(began, Instant.now())).isLessThan(FIRST_REPLAN);
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
    awaitRejected("asked", "WriteForbidden");
    var began = Instant.now();
    // When
    shop.grantRights();
    shop.annotate("asked", Labels.RETRY_CONTROL, "{}");
    // Then
    awaitReady("asked");
    assertThat(Duration.between(began, Instant.now())).isLessThan(FIRST_REPLAN);
    awaitReady("patient");
    assertThat(shop.events("asked", "RetryRequested")).hasSize(1);
  }

  private void awaitRejected(String name, String reason) {
    shop.awaitApp(
        name,
        app ->
            Shop.condition(app, "Accepted")
                .filter(accepted -> accepted.getStatus().equals("False"))
                .filter(accepted -> accepted.getReason().equals(reason))
                .isPresent());
  }

  private void awaitReady(String name) {
    shop.awaitApp(name, ReplanE2E::isReady);
  }

  private static boolean isReady(App app) {
    return Shop.condition(app, "Ready")
        .map(Condition::getStatus)
        .filter("True"::equals)
        .isPresent();
  }
}
