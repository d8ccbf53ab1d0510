package io.middleware.engine.e2e.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Pod;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.change.TaskStatus;
import io.middleware.engine.e2e.AuditLog;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.HeldPod;
import io.middleware.engine.e2e.PodDiary;
import io.middleware.engine.e2e.Shop;
import io.middleware.engine.e2e.Temporal;
import io.middleware.engine.e2e.Volumes;
import io.middleware.engine.e2e.Yaml;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** A change that is cancelled half-way is rolled back. */
@EndToEnd
@Order(1)
class RollbackE2E {
  private static final String SHARD_0 = "cache-redis-nodes-shard-0-";
  private static final String SHARD_1 = "cache-redis-nodes-shard-1-";
  private static final List<String> UPGRADED = List.of(SHARD_0 + 0, SHARD_0 + 1, SHARD_0 + 2);
  private static final List<String> UNTOUCHED = List.of(SHARD_1 + 0, SHARD_1 + 2);
  private static final String HANGING = SHARD_1 + 1;

  private final Shop shop;
  private final Temporal temporal;
  private AuditLog change;
  private Map<String, String> before;

  RollbackE2E(Shop shop, Temporal temporal) {
    this.shop = shop;
    this.temporal = temporal;
  }

  /** The second shard cannot pull 7.2: its first pod hangs when all of the first one are done. */
  @BeforeEach
  void open() {
    shop.applyPlugin(plugin());
    shop.apply(app("7.0"));
    shop.awaitReady("cache");
    before = new Volumes(shop).podUids();
    change = AuditLog.fromNow();
  }

  @Test
  void shouldBringTouchedPodsBackInOrderWhenTheChangeIsCancelled() {
    // Given
    shop.apply(app("7.2"));
    awaitHanging(HANGING);
    try (var diary = new PodDiary(shop.client, shop.namespace)) {
      // When
      cancelChange();
      // Then
      var app = awaitCancelled();
      assertThat(result(app)).isEqualTo(List.of(List.of(), back(), UNTOUCHED));
      assertThat(task(app).error().message()).endsWith("; rolled back");
      assertThat(diary.firstTimes())
          .containsExactly(
              SHARD_0 + "0 leaves",
              SHARD_0 + "0 ready",
              SHARD_0 + "2 leaves",
              SHARD_0 + "2 ready",
              SHARD_0 + "1 leaves",
              SHARD_0 + "1 ready",
              HANGING + " leaves",
              HANGING + " ready");
    }
    assertThatItIsAsBefore();
    assertThat(shop.events("cache", "TaskRollingBack")).hasSize(1);
    // and the next edit does it all
    shop.apply(app("7.2").replace("1.0.1", "1.0.0"));
    shop.awaitReady("cache");
    assertThat(images("redis-nodes")).containsOnly("7.2");
  }

  @Test
  void shouldTakeAwayAgainWhatWasAdded() {
    // Given a fourth pod that hangs
    shop.apply(app("7.0").replace("{name: shard-1, replicas: 3", "{name: shard-1, replicas: 4"));
    awaitHanging(SHARD_1 + 3);
    // When
    cancelChange();
    // Then
    var app = awaitCancelled();
    assertThat(task(app, "resources").error().message()).endsWith("; rolled back");
    assertThat(task(app, "resources").result().done()).isNullOrEmpty();
    assertThat(new Volumes(shop).podUids()).isEqualTo(before);
    assertThat(change.restarts(shop.namespace)).isSubsetOf(SHARD_1 + 3);
    assertThat(component().getMetadata().getAnnotations()).isNullOrEmpty();
  }

  @Test
  void shouldStartAgainWhatWasBeingStopped() {
    // Given a pod that does not go yet
    var held = HeldPod.hold(shop, SHARD_0 + 0);
    var running = app("7.0");
    shop.apply(running.replaceFirst("spec:\n", "spec:\n  state: Stopped\n"));
    shop.awaitTask("cache", "2-stop-redis-nodes", "InProgress");
    await("pod is deleted")
        .atMost(Shop.PATIENCE)
        .until(
            () ->
                !new Volumes(shop).podUids().containsKey(SHARD_0 + 1)
                    && new Volumes(shop).podUids().containsKey(SHARD_0 + 0));
    // When
    cancelChange();
    held.release();
    // Then
    var app = awaitCancelled();
    assertThat(task(app, "stop").error().message()).endsWith("; rolled back");
    assertThat(component().getSpec().isStopped()).isFalse();
    assertThat(component().getMetadata().getAnnotations()).isNullOrEmpty();
    assertThat(new Volumes(shop).podUids()).hasSize(6).containsAllEntriesOf(untouched());
    // and what was stopped starts with the next edit
    shop.apply(running);
    assertThat(shop.awaitReady("cache").getStatus().ready()).isEqualTo("9/9");
  }

  private void awaitHanging(String name) {
    await(name + " hangs")
        .atMost(Shop.PATIENCE)
        .until(
            () ->
                shop.pods("cache").stream()
                    .filter(pod -> pod.getMetadata().getName().equals(name))
                    .flatMap(pod -> pod.getStatus().getContainerStatuses().stream())
                    .anyMatch(container -> container.getState().getWaiting() != null));
  }

  private void cancelChange() {
    temporal
        .client
        .newUntypedWorkflowStub("app/%s/cache".formatted(shop.namespace))
        .update("cancelChange", String.class);
  }

  private App awaitCancelled() {
    return shop.awaitApp(
        "cache",
        app ->
            "Cancelled".equals(app.getStatus().change().outcome())
                && app.getMetadata().getGeneration().equals(app.getStatus().observedGeneration()));
  }

  /**
   * Each pod once forward and once back, when another one is the primary; and those that nobody had
   * come to not at all.
   */
  private void assertThatItIsAsBefore() {
    var restarts = change.restarts(shop.namespace);
    assertThat(restarts.stream().filter(pod -> pod.startsWith("cache-redis-nodes")))
        .containsExactly(
            SHARD_0 + 1,
            SHARD_0 + 2,
            SHARD_0 + 0,
            HANGING,
            SHARD_0 + 0,
            SHARD_0 + 2,
            SHARD_0 + 1,
            HANGING);
    assertThat(new Volumes(shop).podUids()).containsAllEntriesOf(untouched());
    assertThat(images("redis-nodes")).containsOnly("7.0");
    assertThat(images("sentinel")).containsOnly("7.2");
    assertThat(component().getSpec().runtime().version()).isEqualTo("7.0");
    assertThat(component().getMetadata().getAnnotations()).isNullOrEmpty();
  }

  private Component component() {
    return shop.client
        .resources(Component.class)
        .inNamespace(shop.namespace)
        .withName("cache-redis-nodes")
        .get();
  }

  private static TaskStatus task(App app) {
    return task(app, "versionupgrade");
  }

  private static TaskStatus task(App app, String type) {
    return app.getStatus().tasks().stream()
        .filter(task -> task.id().endsWith("-" + type + "-redis-nodes"))
        .findFirst()
        .orElseThrow();
  }

  private static List<List<String>> result(App app) {
    var result = task(app).result();
    return Stream.of(result.done(), result.reverted(), result.left())
        .map(pods -> pods == null ? List.<String>of() : pods)
        .toList();
  }

  private static List<String> back() {
    return Stream.concat(UPGRADED.stream(), Stream.of(HANGING)).toList();
  }

  private Map<String, String> untouched() {
    var pods = new TreeMap<>(before);
    pods.keySet().retainAll(UNTOUCHED);
    return pods;
  }

  private List<String> images(String component) {
    return shop.pods("cache").stream()
        .filter(pod -> pod.getMetadata().getName().startsWith("cache-" + component))
        .map(RollbackE2E::version)
        .toList();
  }

  private static String version(Pod pod) {
    var image = pod.getSpec().getContainers().getFirst().getImage();
    return image.substring(image.lastIndexOf(':') + 1);
  }

  private Yaml app(String version) {
    return shop.cache()
        .replace("version: 1.0.0", "version: 1.0.1")
        .replace("version: \"7.0\"", "version: \"%s\"".formatted(version));
  }

  private Yaml plugin() {
    var fault =
        "${group == 'shard-1' && (runtime.version == '7.2' || replicas == 4)"
            + " ? optional.of('image-pull') : optional.none()}";
    return shop.sample("plugin-redis.yaml")
        .replace("redis-v1.0.0", "redis-v1.0.1")
        .replace("version: 1.0.0", "version: 1.0.1")
        .replace(
            "ready-after: 500ms}",
            "ready-after: 500ms, local.middleware.io/fault: \"" + fault + "\"}");
  }
}
