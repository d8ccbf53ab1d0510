package io.middleware.engine.watcher.metadata;

import static io.middleware.engine.watcher.Objects.app;
import static io.middleware.engine.watcher.Objects.change;
import static io.middleware.engine.watcher.Objects.component;
import static io.middleware.engine.watcher.Objects.deleted;
import static io.middleware.engine.watcher.Objects.group;
import static io.middleware.engine.watcher.Objects.running;
import static io.middleware.engine.watcher.Objects.status;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.middleware.engine.api.App;
import io.middleware.engine.api.AppStatus;
import io.middleware.engine.api.GroupStatusBuilder;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.Node;
import io.middleware.engine.api.RunState;
import io.middleware.engine.watcher.health.AppObservation;
import io.middleware.engine.watcher.metadata.MetadataMirror.CollectionDelays;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MetadataMirrorTest {
  private static final AppStatus DONE = status(1L, 1L, change(1, "Succeeded"));
  private static final CollectionDelays QUICK =
      new CollectionDelays(Duration.ofMillis(20), Duration.ofSeconds(60));

  private final FakeMaps maps = new FakeMaps();
  private final MetadataMirror mirror = new MetadataMirror(maps, maps, QUICK);

  MetadataMirrorTest() {
    maps.mirror = mirror;
  }

  @AfterEach
  void close() {
    mirror.close();
  }

  @Test
  void shouldWriteTheAppsOfANamespaceAtOnce() {
    // Given
    var second = Duration.ofSeconds(1);
    try (var slow = new MetadataMirror(maps, maps, new CollectionDelays(second, second))) {
      maps.mirror = slow;
      // When
      slow.mirror(seen(named("one"), "primary"));
      slow.mirror(seen(named("two"), "primary"));
      awaitKeys("one", "two");
    }
    // Then
    assertThat(maps.writes).hasValue(1);
  }

  @Test
  void shouldWriteNothingTwice() throws InterruptedException {
    // Given
    mirror.mirror(seen(named("one"), "primary"));
    awaitKeys("one");

    // When
    mirror.mirror(seen(named("one"), "primary"));
    Thread.sleep(100);

    // Then
    assertThat(maps.writes).hasValue(1);
  }

  @Test
  void shouldNotWriteWhatIsUndoneMeanwhile() throws InterruptedException {
    // Given
    mirror.mirror(seen(named("one"), "primary"));
    awaitKeys("one");

    // When
    mirror.mirror(seen(named("one"), "replica"));
    mirror.mirror(seen(named("one"), "primary"));
    Thread.sleep(100);

    // Then
    assertThat(maps.writes).hasValue(1);
  }

  @Test
  void shouldGatherForLongerWhileAChangeRuns() throws InterruptedException {
    // Given
    var changing = named("one");
    changing.setStatus(status(1L, 2L, running(2, "2-config-nodes")));

    // When
    mirror.mirror(seen(changing, "primary"));
    Thread.sleep(100);
    var during = maps.writes.get();
    mirror.mirror(seen(named("one"), "primary"));
    awaitKeys("one");

    // Then
    assertThat(during).isZero();
    assertThat(maps.writes).hasValue(1);
  }

  @Test
  void shouldDropTheKeyWithTheApp() {
    // Given
    mirror.mirror(seen(named("one"), "primary"));
    mirror.mirror(seen(named("two"), "primary"));
    awaitKeys("one", "two");

    // When
    mirror.forget(new ResourceID("one", "shop"));

    // Then
    awaitKeys("two");
  }

  @Test
  void shouldNotAddAnAppThatGoes() throws InterruptedException {
    // When
    mirror.mirror(seen(deleted(named("one")), "primary"));
    Thread.sleep(100);

    // Then
    assertThat(maps.writes).hasValue(0);
  }

  @Test
  void shouldTryAgainAsLongAsItTakes() {
    // Given
    maps.failures.set(2);

    // When
    mirror.mirror(seen(named("one"), "primary"));

    // Then
    awaitKeys("one");
  }

  @Test
  void shouldLetNoAppKeepAnotherOut() {
    // Given
    maps.refused = "one";

    // When
    mirror.mirror(seen(named("one"), "primary"));
    mirror.mirror(seen(named("two"), "primary"));

    // Then
    awaitKeys("two");
  }

  @Test
  void shouldUseAnotherMapWhereOneIsFull() {
    // Given
    maps.room = 1;
    mirror.mirror(seen(named("one"), "primary"));
    awaitKeys("one");
    // When
    mirror.mirror(seen(named("two"), "primary"));
    awaitKeys("one", "two");
    mirror.mirror(seen(named("one"), "replica"));
    await().until(() -> maps.writes.get() >= 4); // one, two twice, one again
    // Then
    assertThat(maps.keys(Labels.METADATA)).containsExactly("one");
    assertThat(maps.keys(Labels.METADATA + "-2")).containsExactly("two");
    // and when Apps go, there is room again
    mirror.forget(new ResourceID("one", "shop"));
    awaitKeys("two");
    mirror.mirror(seen(named("three"), "primary"));
    awaitKeys("two", "three");
    assertThat(maps.keys(Labels.METADATA)).containsExactly("three");
  }

  @Test
  void shouldMoveATextThatHasNoRoomAnyMore() {
    // Given
    mirror.mirror(seen(named("one"), "primary"));
    mirror.mirror(seen(named("two"), "primary"));
    awaitKeys("one", "two");
    // When
    maps.grown = "one";
    mirror.mirror(seen(named("one"), "replica"));
    // Then
    await().until(() -> maps.keys(Labels.METADATA + "-2").contains("one"));
    await().until(() -> !maps.keys(Labels.METADATA).contains("one"));
    assertThat(maps.keys(Labels.METADATA)).containsExactly("two");
  }

  @Test
  void shouldRemoveATextThatIsThereTwice() {
    // Given
    maps.edit(Labels.METADATA, Map.of("one", "of an earlier process"));
    maps.edit(Labels.METADATA + "-2", Map.of("one", "moved before it died"));
    // When
    mirror.mirror(seen(named("one"), "primary"));
    // Then
    await().until(() -> maps.keys(Labels.METADATA).isEmpty());
    assertThat(maps.keys(Labels.METADATA + "-2")).containsExactly("one");
    // and
    mirror.forget(new ResourceID("one", "shop"));
    awaitKeys();
  }

  @Test
  void shouldTellItsOwnWritesFromOthers() {
    // Given
    mirror.mirror(seen(named("one"), "primary"));
    awaitKeys("one");

    // When
    var own = maps.news;
    maps.edit(Labels.METADATA, Map.of("one", "by hand"));

    // Then
    assertThat(own).isFalse();
    assertThat(maps.news).isTrue();
  }

  private void awaitKeys(String... apps) {
    await()
        .pollInterval(Duration.ofMillis(5))
        .untilAsserted(() -> assertThat(maps.keys()).containsExactlyInAnyOrder(apps));
  }

  private static App named(String name) {
    var app = app(1, DONE);
    app.getMetadata().setName(name);
    return app;
  }

  private static AppObservation seen(App app, String role) {
    var group = group("nodes", "all", 1, RunState.RUNNING);
    var node = new Node("p0", "10.0.0.1", role, "r1", true);
    group.setStatus(
        GroupStatusBuilder.builder()
            .observedGeneration(1L)
            .nodes(List.of(node))
            .conditions(List.of())
            .build());
    return new AppObservation(
        app, List.of(component("nodes", 1)), List.of(group), List.of(), Map.of());
  }
}
