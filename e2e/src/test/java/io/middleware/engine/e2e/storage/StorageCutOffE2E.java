package io.middleware.engine.e2e.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.middleware.engine.api.Labels;
import io.middleware.engine.e2e.AuditLog;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.Shop;
import io.middleware.engine.e2e.Volumes;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A user interferes after a StatefulSet was deleted and before the larger one exists. */
@EndToEnd
class StorageCutOffE2E {
  private static final String SET = "cache-redis-nodes-shard-0";

  /** After so long a step that waits for the end of a StatefulSet begins anew. */
  private static final Duration ATTEMPT = Duration.ofSeconds(22);

  private final Shop shop;
  private final Volumes volumes;
  private Map<String, String> pods;
  private AuditLog growth;

  StorageCutOffE2E(Shop shop) {
    this.shop = shop;
    this.volumes = new Volumes(shop);
  }

  @BeforeEach
  void replaceASetThatIsHeld() {
    shop.apply(shop.cache());
    shop.awaitReady("cache");
    pods = volumes.podUids();
    growth = AuditLog.fromNow();
    hold("[\"e2e.middleware.io/hold\"]");
    shop.apply(Volumes.grown(shop.cache()));
    await("StatefulSet held")
        .atMost(Shop.PATIENCE)
        .until(
            () ->
                volumes.sets().stream()
                    .filter(set -> set.getMetadata().getName().equals(SET))
                    .anyMatch(HasMetadata::isMarkedForDeletion));
  }

  @AfterEach
  void close() {
    if (volumes.sets().stream().anyMatch(HasMetadata::isMarkedForDeletion)) {
      hold("null");
    }
  }

  @Test
  void shouldMakeTheStatefulSetAgainWhileTheAppIsPaused() {
    // Given
    pause(true);
    rest();
    // When
    hold("null");
    // Then
    awaitSet();
    assertThat(shop.app("cache").isPaused()).isTrue();
    pause(false);
    shop.awaitReady("cache");
    volumes.areAll("2Gi", 6);
    assertThatNoPodWasTouched();
  }

  @Test
  void shouldMakeTheStatefulSetAgainWhenTheChangeIsCancelled() {
    // Given
    shop.annotate("cache", Labels.CANCEL_CONTROL, "{}");
    rest();
    // When
    hold("null");
    // Then
    shop.awaitTask("cache", "2-storage-redis-nodes", "Cancelled");
    awaitSet();
    assertThatNoPodWasTouched();
  }

  private void pause(boolean paused) {
    patch("app", "cache", "{\"spec\": {\"paused\": %s}}".formatted(paused));
  }

  private void hold(String finalizers) {
    patch("statefulset", SET, "{\"metadata\": {\"finalizers\": %s}}".formatted(finalizers));
  }

  private void patch(String kind, String name, String json) {
    shop.kubectl("", "patch", kind, name, "-n", shop.namespace, "--type=merge", "-p", json);
  }

  private static void rest() {
    await().pollDelay(ATTEMPT).until(() -> true);
  }

  private void awaitSet() {
    await("StatefulSet made again")
        .until(
            () ->
                volumes.sets().stream()
                    .filter(set -> set.getMetadata().getName().equals(SET))
                    .filter(set -> !set.isMarkedForDeletion())
                    .anyMatch(set -> Volumes.template(set).toString().equals("2Gi")));
  }

  private void assertThatNoPodWasTouched() {
    assertThat(volumes.podUids()).isEqualTo(pods);
    assertThat(growth.restarts(shop.namespace)).isEmpty();
  }
}
