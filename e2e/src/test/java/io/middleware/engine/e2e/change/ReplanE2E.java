package io.middleware.engine.e2e.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Condition;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.plugin.Plugin;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.Shop;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** An App that could not be carried out as things were is planned again when they have changed. */
@EndToEnd
class ReplanE2E {
  /** The clock alone plans again a minute after the rejection, and so a good while after this. */
  private static final Duration AT_ONCE = Duration.ofSeconds(45);

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
    try {
      // When
      shop.applyPlugin(
          shop.sample("plugin-redis.yaml")
              .last()
              .replace("name: redis-v1.0.0", "name: " + plugin + "-v1.0.0")
              .replace(
                  "  name: redis\n  version: 1.0.0", "  name: " + plugin + "\n  version: 1.0.0"));
      // Then
      assertThatItWasAcceptedAtOnce(created(plugin + "-v1.0.0"), awaitReady("early"));
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
    // When
    shop.grantRights();
    shop.annotate("asked", Labels.RETRY_CONTROL, "{}");
    var asked = Instant.now();
    // Then
    assertThatItWasAcceptedAtOnce(asked, awaitReady("asked"));
    awaitReady("patient");
    await("event")
        .untilAsserted(() -> assertThat(shop.events("asked", "RetryRequested")).hasSize(1));
  }

  /**
   * By when the status says that it was accepted, however long the rest takes.
   *
   * @param possible since when it could be carried out; all before may take its time
   */
  private static void assertThatItWasAcceptedAtOnce(Instant possible, App app) {
    var accepted = Shop.condition(app, "Accepted").orElseThrow().getLastTransitionTime();
    assertThat(Duration.between(possible, Instant.parse(accepted))).isLessThan(AT_ONCE);
  }

  private Instant created(String plugin) {
    var plugins = shop.client.resources(Plugin.class).inNamespace("middleware-system");
    return Instant.parse(plugins.withName(plugin).require().getMetadata().getCreationTimestamp());
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
