package io.middleware.engine.activities.testing.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.middleware.engine.api.testing.LoadTest;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.workflows.testing.port.LoadTestActivities.LoadTargetFound;
import io.middleware.engine.workflows.testing.port.LoadTestActivities.LoadWait;
import io.temporal.client.ActivityCanceledException;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** How targets are found and awaited. */
@ExtendWith(ApiServer.class)
class LoadTargetsIT {
  private static final UnaryOperator<String> BY_LABELS =
      text ->
          text.replace("kind: ConfigMap, name: target", "kind: ConfigMap, labels: {tier: gold}");

  private final LoadScene scene;

  LoadTargetsIT(LocalNamespace cluster) {
    scene = new LoadScene(cluster);
  }

  @BeforeEach
  void allow() {
    scene.allow();
  }

  @Test
  void shouldFindTheTargetByItsName() {
    // Given
    var test = scene.create();
    scene.createTarget("target", Map.of());
    // When
    var found = await(test, Duration.ofMinutes(1));
    // Then
    assertThat(found).isEqualTo(LoadScene.target());
    assertThat(scene.status(test).target()).isEqualTo("ConfigMap target");
  }

  @Test
  void shouldFindTheTargetByItsLabelsAndAnnotations() {
    // Given
    var test =
        scene.create(
            it ->
                BY_LABELS
                    .apply(it)
                    .replace("{tier: gold}", "{tier: gold}, annotations: {zone: north}"));
    scene.createTarget("one", Map.of("tier", "gold"));
    var other = scene.createTarget("other", Map.of("tier", "gold"));
    scene
        .cluster
        .client()
        .resource(other)
        .edit(
            it -> {
              it.getMetadata().setAnnotations(Map.of("zone", "north"));
              return it;
            });
    // When Then
    assertThat(await(test, Duration.ofMinutes(1)).name()).isEqualTo("other");
  }

  @Test
  void shouldNameAllThatFit() {
    // Given
    var test = scene.create(BY_LABELS);
    scene.createTarget("one", Map.of("tier", "gold"));
    scene.createTarget("other", Map.of("tier", "gold"));
    // When Then
    assertFails(
        test,
        "AmbiguousTarget",
        "2 objects are ConfigMap with labels {tier=gold}, not one: one, other");
  }

  @Test
  void shouldWaitUntilTheTargetExistsAndIsReady() {
    // Given
    var test = scene.create();
    begin(test);
    var waits = CompletableFuture.supplyAsync(() -> await(test, Duration.ofMinutes(1)));
    awaitMessage(test, "ConfigMap target does not exist");
    // When
    scene.createTarget("target", Map.of());
    scene.set("phase", "Changing");
    awaitMessage(test, "ConfigMap target is not ready: target.data.phase = Changing");
    scene.set("phase", "Ready");
    // Then
    assertThat(waits.join()).isEqualTo(LoadScene.target());
  }

  @Test
  void shouldFailWithTheLastActualValues() {
    // Given
    var test = scene.create();
    scene.createTarget("target", Map.of());
    scene.set("phase", "Changing");
    // When Then
    assertFails(
        test,
        "TimedOut",
        "the target was not ready within 1s: ConfigMap target is not ready: target.data.phase = Changing");
  }

  @Test
  void shouldEndWhenItIsCancelled() {
    // Given
    var test = scene.create();
    begin(test);
    var waits = CompletableFuture.runAsync(() -> await(test, Duration.ofMinutes(1)));
    awaitMessage(test, "ConfigMap target does not exist");
    // When
    scene.attempt.cancelled = true;
    // Then
    assertThatThrownBy(waits::join).hasRootCauseInstanceOf(ActivityCanceledException.class);
  }

  private void awaitMessage(LoadTest test, String text) {
    scene
        .cluster
        .await()
        .untilAsserted(() -> assertThat(scene.status(test).message()).startsWith(text));
  }

  private void begin(LoadTest test) {
    scene.activities().beginLoad(scene.load(test));
  }

  private LoadTargetFound await(LoadTest test, Duration timeout) {
    begin(test);
    return scene.activities().awaitTarget(new LoadWait(scene.load(test), timeout));
  }

  private void assertFails(LoadTest test, String reason, String text) {
    assertThatThrownBy(() -> await(test, Duration.ofSeconds(1)))
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            failure -> {
              assertThat(failure.getType()).isEqualTo(reason);
              assertThat(failure.getOriginalMessage()).startsWith(text);
              assertThat(failure.isNonRetryable()).isTrue();
            });
  }
}
