package io.middleware.engine.e2e.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.middleware.engine.api.App;
import io.middleware.engine.api.change.TaskStatus;
import io.middleware.engine.e2e.AuditLog;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.PodDiary;
import io.middleware.engine.e2e.Shop;
import io.middleware.engine.e2e.Story;
import io.middleware.engine.e2e.Yaml;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** An App without pods: its volumes and configuration stay, and edits wait for its start. */
@EndToEnd
class StopStartE2E {
  private final Shop shop;

  StopStartE2E(Shop shop) {
    this.shop = shop;
  }

  @Test
  void shouldStopThenDeployAnEditWithoutPodsThenStart() {
    var story = new Story(shop).deployed();
    var volumes = volumes();
    assertThat(volumes).hasSize(6);
    stopsInOrder();
    assertThat(volumes()).isEqualTo(volumes);
    deploysWithoutPods(stopped(story.upgraded()));
    startsInOrder(story.upgraded());
    assertThat(volumes()).isEqualTo(volumes);
  }

  private void stopsInOrder() {
    // Given
    var stop = AuditLog.fromNow();
    try (var diary = diary()) {
      // When
      shop.apply(stopped(shop.cache()));
      // Then
      var app = shop.awaitReady("cache");
      assertThatItIsStopped(app, "2-stop-sentinel", "2-stop-redis-nodes");
      assertThat(scaled(stop))
          .containsExactly(
              "cache-sentinel-all", "cache-redis-nodes-shard-0", "cache-redis-nodes-shard-1");
      assertThat(stop.restarts(shop.namespace)).isEmpty();
      await().until(() -> diary.firstTimes().size() == 9);
      assertThat(groups(diary, "leaves"))
          .containsExactly(
              "cache-sentinel-all", "cache-redis-nodes-shard-0", "cache-redis-nodes-shard-1");
    }
    assertThat(shop.kubectl("", "get", "apps", "-n", shop.namespace)).contains("Stopped", "0/0");
    assertThat(
            shop.client
                .configMaps()
                .inNamespace(shop.namespace)
                .withName("cache-redis-nodes-shard-0-config")
                .get())
        .isNotNull();
  }

  private void deploysWithoutPods(Yaml edit) {
    try (var diary = diary()) {
      // When
      shop.apply(edit);
      // Then
      var app = shop.awaitReady("cache");
      assertThatItIsStopped(app, "3-versionupgrade-sentinel", "3-versionupgrade-redis-nodes");
      assertThat(Shop.condition(app, "OrderDegraded")).isEmpty();
      assertThat(diary.lines()).isEmpty();
    }
  }

  private void startsInOrder(Yaml edit) {
    try (var diary = diary()) {
      // When
      shop.apply(edit);
      // Then
      var app = shop.awaitReady("cache");
      assertThat(done(app)).containsExactly("4-start-redis-nodes", "4-start-sentinel");
      assertThat(app.getStatus().phase()).isEqualTo("Running");
      assertThat(app.getStatus().ready()).isEqualTo("9/9");
      await().until(() -> diary.firstTimes().size() == 9);
      assertThat(diary.firstTimes()).allMatch(line -> line.endsWith(" ready"));
      assertThat(groups(diary, "ready")).endsWith("cache-sentinel-all");
      assertThat(diary.firstTimes().subList(6, 9))
          .allMatch(line -> line.startsWith("cache-sentinel"));
      assertThat(shop.pods("cache"))
          .allSatisfy(
              pod ->
                  assertThat(pod.getSpec().getContainers().getFirst().getImage()).endsWith(":7.2"));
    }
  }

  @Test
  void shouldStopWhatIsBrokenBeforeItDeploysAnEdit() {
    // Given
    var story = new Story(shop).deployed();
    crash("cache-redis-nodes-shard-0-0");
    crash("cache-redis-nodes-shard-0-2");
    shop.awaitApp("cache", app -> "7/9".equals(app.getStatus().ready()));
    // When
    shop.apply(stopped(story.upgraded()));
    // Then
    assertThatItIsStopped(
        shop.awaitReady("cache"),
        "2-stop-sentinel",
        "2-stop-redis-nodes",
        "2-versionupgrade-sentinel",
        "2-versionupgrade-redis-nodes");
  }

  @Test
  void shouldBeginWithoutPods() {
    // When
    shop.apply(stopped(shop.cache()));
    // Then
    assertThatItIsStopped(
        shop.awaitReady("cache"), "1-provision-redis-nodes", "1-provision-sentinel");
    assertThat(shop.client.apps().statefulSets().inNamespace(shop.namespace).list().getItems())
        .hasSize(3);
    // and starts
    shop.apply(shop.cache());
    assertThat(shop.awaitReady("cache").getStatus().ready()).isEqualTo("9/9");
  }

  private void assertThatItIsStopped(App app, String... tasks) {
    assertThat(done(app)).containsExactly(tasks);
    assertThat(app.getStatus().change().outcome()).isEqualTo("Succeeded");
    assertThat(app.getStatus().phase()).isEqualTo("Stopped");
    assertThat(app.getStatus().ready()).isEqualTo("0/0");
    assertThat(Shop.condition(app, "Ready"))
        .hasValueSatisfying(ready -> assertThat(ready.getReason()).isEqualTo("Stopped"));
    assertThat(Stream.of("Reconciling", "Stalled").flatMap(type -> status(app, type)))
        .doesNotContain("True");
    assertThat(shop.pods("cache")).isEmpty();
  }

  private static Stream<String> status(App app, String condition) {
    return Shop.condition(app, condition).stream().map(found -> found.getStatus());
  }

  private static List<String> done(App app) {
    assertThat(app.getStatus().tasks()).extracting(TaskStatus::status).containsOnly("Done");
    return app.getStatus().tasks().stream().map(TaskStatus::id).toList();
  }

  private static Yaml stopped(Yaml app) {
    return app.replaceFirst("spec:\n", "spec:\n  state: Stopped\n");
  }

  private PodDiary diary() {
    return new PodDiary(shop.client, shop.namespace);
  }

  /** The workloads whose pods did so, each once, in the order of its first pod. */
  private static List<String> groups(PodDiary diary, String what) {
    return diary.lines().stream()
        .filter(line -> line.endsWith(" " + what))
        .map(line -> line.substring(0, line.lastIndexOf('-')))
        .distinct()
        .toList();
  }

  private List<String> scaled(AuditLog log) {
    return log.writes(shop.namespace).stream()
        .filter(write -> write.resource().equals("statefulsets"))
        .map(AuditLog.Entry::name)
        .toList();
  }

  private List<String> volumes() {
    return shop
        .client
        .persistentVolumeClaims()
        .inNamespace(shop.namespace)
        .list()
        .getItems()
        .stream()
        .map(HasMetadata::getMetadata)
        .map(claim -> claim.getName() + " " + claim.getUid())
        .sorted()
        .toList();
  }

  private void crash(String pod) {
    shop.client
        .pods()
        .inNamespace(shop.namespace)
        .withName(pod)
        .edit(
            seen ->
                new PodBuilder(seen)
                    .editMetadata()
                    .addToAnnotations("local.middleware.io/crash", "true")
                    .endMetadata()
                    .build());
  }
}
