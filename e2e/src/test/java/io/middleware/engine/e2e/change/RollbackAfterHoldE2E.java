package io.middleware.engine.e2e.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Pod;
import io.middleware.engine.api.App;
import io.middleware.engine.api.change.TaskStatus;
import io.middleware.engine.e2e.AuditLog;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.InTurn;
import io.middleware.engine.e2e.Shop;
import io.middleware.engine.e2e.Temporal;
import io.middleware.engine.e2e.Yaml;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** An upgrade is cancelled with Hold after its first pod; the next one is to be rolled back. */
@EndToEnd
@Order(1)
@InTurn(0)
class RollbackAfterHoldE2E {
  private static final String SHARD_0 = "cache-redis-nodes-shard-0-";

  private final Shop shop;
  private final Temporal temporal;
  private AuditLog upgrade;

  RollbackAfterHoldE2E(Shop shop, Temporal temporal) {
    this.shop = shop;
    this.temporal = temporal;
  }

  @BeforeEach
  void hold() {
    shop.applyPlugin(plugin());
    shop.apply(app("7.0", ""));
    shop.awaitReady("cache");
    shop.apply(app("7.2", "onCancel: Hold, interval: 5m, "));
    awaitVersion(SHARD_0 + 1, "7.2");
    cancel();
    upgrade = AuditLog.fromNow();
  }

  @Test
  void shouldTouchNoPodThatItsOwnTaskHasNotTouched() {
    // Given
    shop.apply(app("7.4", "interval: 5m, "));
    awaitVersion(SHARD_0 + 1, "7.4");
    // When
    cancel();
    // Then
    assertThat(task().error().message()).endsWith("; rolled back");
    assertThat(task().result().done()).isNullOrEmpty();
    assertThat(task().result().reverted()).containsExactly(SHARD_0 + 1);
    assertThat(task().result().left()).hasSize(5).doesNotContain(SHARD_0 + 1);
    assertThat(upgrade.restarts(shop.namespace)).containsExactly(SHARD_0 + 1, SHARD_0 + 1);
    assertThat(versions()).containsExactly("7.0", "7.2", "7.0", "7.0", "7.0", "7.0");
    // and the next edit brings all to one version
    shop.apply(app("7.4", "interval: 0s, "));
    shop.awaitReady("cache");
    assertThat(versions()).containsOnly("7.4");
  }

  @Test
  void shouldHoldWhenAPodCannotGetBackWhatItHad() {
    // Given
    shop.apply(app("7.4", "interval: 20s, "));
    awaitVersion(SHARD_0 + 2, "7.4");
    // When
    cancel();
    // Then
    assertThat(task().error().message())
        .contains("nothing was rolled back: ", "pod " + SHARD_0 + "2 was at revision ");
    assertThat(task().result().done()).containsExactly(SHARD_0 + 1, SHARD_0 + 2);
    assertThat(task().result().left()).hasSize(4).contains(SHARD_0 + 0);
    assertThat(upgrade.restarts(shop.namespace)).containsExactly(SHARD_0 + 1, SHARD_0 + 2);
    assertThat(versions()).containsExactly("7.0", "7.4", "7.4", "7.0", "7.0", "7.0");
  }

  private void cancel() {
    temporal
        .client
        .newUntypedWorkflowStub("app/%s/cache".formatted(shop.namespace))
        .update("cancelChange", String.class);
    shop.awaitApp(
        "cache",
        app ->
            "Cancelled".equals(app.getStatus().change().outcome())
                && app.getMetadata().getGeneration().equals(app.getStatus().observedGeneration()));
  }

  private void awaitVersion(String name, String version) {
    await(name + " is at " + version)
        .atMost(Shop.PATIENCE)
        .until(
            () ->
                nodes().stream()
                    .filter(pod -> pod.getMetadata().getName().equals(name))
                    .filter(RollbackAfterHoldE2E::isReady)
                    .anyMatch(pod -> version(pod).equals(version)));
  }

  private static boolean isReady(Pod pod) {
    return pod.getMetadata().getDeletionTimestamp() == null
        && pod.getStatus().getConditions().stream()
            .anyMatch(it -> it.getType().equals("Ready") && it.getStatus().equals("True"));
  }

  private TaskStatus task() {
    App app = shop.app("cache");
    return app.getStatus().tasks().stream()
        .filter(task -> task.id().endsWith("-versionupgrade-redis-nodes"))
        .findFirst()
        .orElseThrow();
  }

  private List<Pod> nodes() {
    return shop.pods("cache").stream()
        .filter(pod -> pod.getMetadata().getName().startsWith("cache-redis-nodes"))
        .toList();
  }

  private List<String> versions() {
    return nodes().stream()
        .sorted((one, other) -> name(one).compareTo(name(other)))
        .map(RollbackAfterHoldE2E::version)
        .toList();
  }

  private static String name(Pod pod) {
    return pod.getMetadata().getName();
  }

  private static String version(Pod pod) {
    var image = pod.getSpec().getContainers().getFirst().getImage();
    return image.substring(image.lastIndexOf(':') + 1);
  }

  private Yaml app(String version, String settings) {
    return shop.cache()
        .replace("version: 1.0.0", "version: 1.0.10")
        .replace("version: \"7.0\"", "version: \"%s\"".formatted(version))
        .replace("change: {timeouts: {VersionUpgrade: 10m}, ", "change: {" + settings)
        .replace("onCancel: Rollback", settings.contains("onCancel") ? "" : "onCancel: Rollback");
  }

  private Yaml plugin() {
    var next =
        """
            - version: "7.4"
              images: {redis: "docker.io/library/redis:7.4", agent: "middleware-engine/redis-agent:1.0.0"}
              upgradesFrom: ["7.0", "7.2"]
            - version: "7.2"
        """;
    return shop.sample("plugin-redis.yaml")
        .replace("redis-v1.0.0", "redis-v1.0.10")
        .replace("version: 1.0.0", "version: 1.0.10")
        .replace("upgrade: [sentinel, redis-nodes]", "upgrade: [redis-nodes, sentinel]")
        .replace("    - version: \"7.2\"\n", next);
  }
}
