package io.middleware.engine.e2e.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Pod;
import io.middleware.engine.api.Labels;
import io.middleware.engine.e2e.AppOperation;
import io.middleware.engine.e2e.AuditLog;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.Engine;
import io.middleware.engine.e2e.HeldPod;
import io.middleware.engine.e2e.Shop;
import io.middleware.engine.e2e.Story;
import io.middleware.engine.e2e.Temporal;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Operations restart what is deployed, once and in order, and take turns with edits. */
@EndToEnd
class OperationE2E {
  /**
   * Replicas before the primary, the data before the sentinels: the Plugin's order of an update.
   */
  private static final List<String> ORDER =
      Stream.concat(Story.UPGRADE_ORDER.stream().skip(3), Story.UPGRADE_ORDER.stream().limit(3))
          .toList();

  private final Shop shop;
  private final Temporal temporal;
  private final AppOperation restart;

  OperationE2E(Shop shop, Temporal temporal) {
    this.shop = shop;
    this.temporal = temporal;
    this.restart = AppOperation.restart(shop, "restart-1");
  }

  @Test
  void shouldRestartEveryPodOnceThePrimariesLast() {
    // Given
    var story = new Story(shop).deployed();
    var before = shop.app("cache").getStatus();
    var audit = AuditLog.fromNow();
    try (var diary = story.diary()) {
      // When
      restart.apply();
      var status = restart.ends("Succeeded");
      // Then
      assertThat(diary.firstTimes()).isEqualTo(oneByOne());
      assertThat(status.done()).isEqualTo("2/2");
    }
    var app = shop.awaitReady("cache");
    assertThat(app.getStatus().operation()).isNull();
    assertThat(app.getStatus().change()).isEqualTo(before.change());
    await("events")
        .untilAsserted(
            () -> {
              assertThat(shop.events("cache", "OperationSucceeded")).hasSize(1);
              assertThat(shop.events("restart-1", "OperationBegun")).hasSize(1);
            });
    await("nothing holds it")
        .atMost(Shop.PATIENCE)
        .until(() -> restart.now().getMetadata().getFinalizers().isEmpty());
    // and the next edit restarts nothing because of it
    shop.apply(shop.cache().replace("change: {", "change: {maxRetries: 5, "));
    shop.awaitReady("cache");
    assertThat(audit.restarts(shop.namespace)).isEqualTo(ORDER);
  }

  @Test
  void shouldWaitForAChangeAndLetAnEditWaitForIt() {
    // Given an upgrade that waits for the end of a pod
    var story = new Story(shop).deployed();
    var audit = AuditLog.fromNow();
    var held = HeldPod.hold(shop, Story.UPGRADE_ORDER.get(6));
    story.upgrading().afterRestarts(7);
    // When
    restart.apply(", target: {component: redis-nodes}");
    // Then
    assertThat(restart.awaits(status -> status.message() != null).message())
        .isEqualTo("generation 2 of the App is carried out first");
    // and an edit during it, while it waits for the end of a pod
    var next = HeldPod.hold(shop, ORDER.getFirst());
    held.release();
    restart.awaits(status -> "InProgress".equals(status.phase()));
    shop.apply(story.upgraded().replace("change: {", "change: {maxRetries: 5, "));
    var app = shop.awaitApp("cache", it -> Shop.condition(it, "PendingChange").isPresent());
    assertThat(Shop.condition(app, "PendingChange").orElseThrow().getMessage())
        .isEqualTo("generation 3 waits for the end of Operation restart-1 (Restart)");
    next.release();
    restart.ends("Succeeded");
    assertThat(shop.awaitReady("cache").getStatus().change().generation()).isEqualTo(3);
    var restarts = audit.restarts(shop.namespace);
    assertThat(restarts).hasSize(15).startsWith(Story.UPGRADE_ORDER.toArray(String[]::new));
    assertThat(restarts.subList(9, 15))
        .containsExactlyInAnyOrderElementsOf(ORDER.stream().limit(6).toList());
  }

  @ParameterizedTest
  @ValueSource(strings = {"spec", "annotation", "update"})
  void shouldStopWhereItIsWhenItIsCancelled(String way) {
    // Given
    deploySix();
    var pods = uids();
    restart.apply();
    await("one pod restarted").atMost(Shop.PATIENCE).until(() -> changed(pods).size() >= 1);
    // When
    cancel(way);
    // Then
    var result = restart.ends("Cancelled").tasks().getFirst().result();
    shop.awaitReady("cache");
    var restarted = changed(pods);
    assertThat(restarted)
        .as("with the pod in hand, which may have been away when the result was taken")
        .hasSizeLessThan(6)
        .containsAll(result.done())
        .containsAll(result.notReady());
    // and another one restarts all of them
    AppOperation.restart(shop, "restart-2").apply().ends("Succeeded");
    assertThat(changed(pods)).hasSize(6);
  }

  /**
   * Six pods of one group, which take their time, so that a cancel comes before the last of them.
   */
  private void deploySix() {
    shop.apply(
        shop.small("cache")
            .replace("replicas: 1", "replicas: 6")
            .plus("  change: {interval: 2s}\n"));
    shop.awaitReady("cache");
  }

  private void cancel(String way) {
    switch (way) {
      case "spec" -> restart.apply(", cancel: true");
      case "annotation" -> shop.annotate("cache", Labels.CANCEL_CONTROL, "{}");
      default ->
          Engine.run(
              List.of(
                  "temporal",
                  "workflow",
                  "update",
                  "execute",
                  "-w",
                  "app/%s/cache".formatted(shop.namespace),
                  "--name",
                  "cancelChange",
                  "--input",
                  "{\"operation\": \"restart-1\"}"));
    }
  }

  @Test
  void shouldStopAndGoWhenItIsDeleted() {
    // Given
    deploySix();
    var pods = uids();
    restart.apply();
    await("one pod restarted").atMost(Shop.PATIENCE).until(() -> changed(pods).size() >= 1);
    // When
    restart.delete();
    // Then
    restart.awaitGone();
    var app = shop.awaitReady("cache");
    assertThat(app.getStatus().operation()).isNull();
    assertThat(changed(pods)).hasSizeLessThan(6);
    await("no open run").atMost(Shop.PATIENCE).until(() -> temporal.open(shop.namespace).isEmpty());
  }

  @Test
  void shouldGoOnWhenItsRunIsTerminated() {
    // Given
    new Story(shop).deployed();
    var audit = AuditLog.fromNow();
    var held = HeldPod.hold(shop, ORDER.get(6)); // the first of the second component
    restart.apply();
    restart.awaits(status -> "1/2".equals(status.done()));
    // When
    Engine.run(
        List.of(
            "temporal", "workflow", "terminate", "-w", "app/%s/cache".formatted(shop.namespace)));
    held.release();
    // Then
    restart.ends("Succeeded");
    assertThat(audit.restarts(shop.namespace)).isEqualTo(ORDER);
  }

  @Test
  void shouldWaitForItsAppAndItsTimeAndGoAWhileAfterItsEnd() {
    // Given a time that is still to come when a busy watcher sees the Operation
    var begins = Instant.now().plusSeconds(60).truncatedTo(ChronoUnit.SECONDS);
    // When
    restart.apply(", ttlSecondsAfterFinished: 3, notBefore: \"%s\"".formatted(begins));
    // Then
    assertThat(restart.awaits(it -> it.message() != null).message())
        .isEqualTo("begins at " + begins);
    assertThat(restart.awaits(it -> it.message().startsWith("there is no")).message())
        .isEqualTo(
            "there is no App cache in namespace %s: it begins when there is one"
                .formatted(shop.namespace));
    // and with its App
    shop.apply(shop.small("cache"));
    restart.awaitGone();
    await("event")
        .untilAsserted(() -> assertThat(shop.events("restart-1", "OperationSucceeded")).hasSize(1));
  }

  private static List<String> oneByOne() {
    return ORDER.stream().flatMap(pod -> Stream.of(pod + " leaves", pod + " ready")).toList();
  }

  private Map<String, String> uids() {
    return shop.pods("cache").stream()
        .collect(
            Collectors.toMap(
                pod -> pod.getMetadata().getName(), pod -> pod.getMetadata().getUid()));
  }

  private List<String> changed(Map<String, String> before) {
    var now =
        shop.pods("cache").stream()
            .map(Pod::getMetadata)
            .collect(Collectors.toMap(it -> it.getName(), Function.identity()));
    return before.entrySet().stream()
        .filter(it -> now.containsKey(it.getKey()))
        .filter(it -> !now.get(it.getKey()).getUid().equals(it.getValue()))
        .map(Map.Entry::getKey)
        .sorted()
        .toList();
  }
}
