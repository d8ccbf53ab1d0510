package io.middleware.engine.e2e.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Event;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Labels;
import io.middleware.engine.e2e.AuditLog;
import io.middleware.engine.e2e.Cli;
import io.middleware.engine.e2e.Disruptive;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.Engine;
import io.middleware.engine.e2e.Shop;
import io.middleware.engine.e2e.Story;
import io.middleware.engine.e2e.Temporal;
import io.middleware.engine.e2e.Trials;
import io.temporal.api.history.v1.HistoryEvent;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Something dies in the middle of an upgrade. */
@EndToEnd
@Disruptive("kills processes")
class FailureE2E {
  private static final int KILLS = Integer.getInteger("kills", Trials.of(1, 20));
  private static final long SEED = Long.getLong("seed", System.currentTimeMillis());
  private static final int KILLS_OF_ONE_CHANGE = 3;
  private static final int LONGEST_PAUSE_MILLIS = 2500;
  private static final List<String> VICTIMS = List.of("worker", "watcher");

  private final Shop shop;
  private final Story story;

  FailureE2E(Shop shop) {
    this.shop = shop;
    this.story = new Story(shop);
  }

  @ParameterizedTest
  @ValueSource(strings = {"worker", "watcher"})
  void shouldFinishTheUpgradeWhenAProcessIsKilled(String process) {
    // Given
    story.deployed().upgrading().afterRestarts(2);
    // When
    Engine.dev("restart", process, "--kill");
    // Then
    story.endsWell();
  }

  @Test
  void shouldFinishTheUpgradeWhenTheApiServerIsKilled() {
    // Given
    story.deployed().upgrading().afterRestarts(2);
    // When
    Engine.dev("restart", "kube-apiserver", "--kill");
    // Then
    story.endsWellAfterAKillOfTheApiServer();
  }

  @Test
  void shouldTakeEachPodOnceWhenTheApiServerIsSilentForLongerThanAHeartbeat() {
    // Given an upgrade that rests after its first pod
    restAfterFirstPod();
    // When the server is deaf from before the rest ends until well after it
    Engine.freeze("kube-apiserver", Duration.ofSeconds(9));
    // Then
    story.endsWell();
  }

  @Test
  void shouldTakeEachPodOnceWhenTheWorkerStandsStillForLongerThanAHeartbeat() {
    // Given
    story.deployed().upgrading().afterRestarts(2);
    // When
    Engine.freeze("worker", Duration.ofSeconds(6));
    // Then
    story.endsWell();
  }

  @Test
  void shouldRollBackOnlyWhenTheStepHasEndedThatTheApiServerKeeps() {
    // Given an upgrade that rests after its first pod, and then asks a server that is deaf
    restAfterFirstPod();
    var task = "app/%s/cache/2/2-versionupgrade-sentinel".formatted(shop.namespace);
    var cancel =
        CompletableFuture.runAsync(
            () -> Cli.TEMPORAL.workflow(task, "cancel"),
            CompletableFuture.delayedExecutor(3500, TimeUnit.MILLISECONDS));
    // When
    Engine.freeze("kube-apiserver", Duration.ofSeconds(9));
    // Then
    cancel.join();
    shop.awaitApp("cache", app -> "Cancelled".equals(app.getStatus().change().outcome()));
    try (var temporal = new Temporal()) {
      assertThat(temporal.children(shop.namespace, "cache"))
          .flatMap(workflow -> temporal.client.fetchHistory(workflow).getEvents())
          .noneMatch(HistoryEvent::hasActivityTaskTimedOutEventAttributes);
    }
  }

  @Test
  void shouldFinishTheUpgradeWhenWorkerAndWatcherAreKilledTogether() {
    // Given
    story.deployed().upgrading().afterRestarts(4);
    // When
    var worker = CompletableFuture.runAsync(() -> Engine.dev("restart", "worker", "--kill"));
    Engine.dev("restart", "watcher", "--kill");
    worker.join();
    // Then
    story.endsWell();
  }

  @Test
  void shouldGoOnWithAReloadWhenTheWorkerIsKilled() {
    // Given a hot change that is at its second pod for a while
    story.deployed();
    var audit = AuditLog.fromNow();
    shop.kubectl(
        "",
        "annotate",
        "pod",
        "cache-redis-nodes-shard-0-2",
        "-n",
        shop.namespace,
        "agent.local.middleware.io/fault=slow");
    shop.apply(shop.cache().replace("maxmemory: 100mb", "maxmemory: 200mb"));
    await("first pod").until(() -> !reloads().isEmpty());
    // When
    Engine.dev("restart", "worker", "--kill");
    // Then
    shop.awaitReady("cache");
    await("all pods").until(() -> reloads().size() == 6);
    assertThat(audit.restarts(shop.namespace)).isEmpty();
  }

  /** What is said of each pod that has reloaded. */
  private Set<String> reloads() {
    return shop.events("cache", "PodReloaded").stream()
        .map(Event::getMessage)
        .collect(Collectors.toSet());
  }

  @Test
  void shouldCancelOnceWhatWasAskedWhileNoWorkerCouldAnswer() {
    // Given an upgrade that rests after its first pod
    story.deployed();
    shop.apply(
        story
            .upgraded()
            .replace("onCancel: Rollback", "onCancel: Hold")
            .replace("change: {", "change: {interval: 5s, "));
    story.afterRestarts(1);
    Engine.dev("stop", "worker");
    try {
      // When the watcher has asked more than once
      shop.annotate("cache", Labels.CANCEL_CONTROL, "{}");
      await().pollDelay(Duration.ofSeconds(9)).until(() -> true);
      assertThat(shop.app("cache").getMetadata().getAnnotations())
          .containsKey(Labels.CANCEL_CONTROL);
    } finally {
      Engine.dev("start", "worker");
    }
    // Then
    var app = shop.awaitApp("cache", a -> "Cancelled".equals(a.getStatus().change().outcome()));
    await("event").until(() -> shop.events("cache", "CancelRequested").size() == 1);
    assertThat(shop.events("cache", "ControlRefused")).isEmpty();
    assertThat(app.getStatus().change().generation()).isEqualTo(2);
  }

  @Test
  void shouldCarryOutAnEditMadeWhileTemporalWasDown() throws Exception {
    // Given
    story.deployed();
    Engine.dev("stop", "temporal");
    try {
      await("watcher not ready").ignoreExceptions().until(() -> readiness() == 503);
      // When
      story.upgrading();
      await()
          .during(Duration.ofSeconds(2))
          .until(() -> shop.status("cache").acceptedGeneration() == 1);
    } finally {
      Engine.dev("start", "temporal");
    }
    // Then
    story.endsWell();
    Engine.awaitReady(Engine.variable("WATCHER_URL"));
  }

  @Test
  void shouldFinishTheUpgradeWhenEverybodyIsRefusedForAMoment() throws Exception {
    // Given
    story.deployed().upgrading().afterRestarts(2);
    // When no role counts, as at an API server that starts and has not read them
    shop.kubectl("", "delete", "clusterrolebinding", "middleware-worker");
    shop.kubectl("", "delete", "rolebinding", "middleware-deployer", "-n", shop.namespace);
    try {
      Thread.sleep(Duration.ofSeconds(3));
    } finally {
      Engine.run(
          List.of(
              "kubectl", "apply", "-f", Engine.CHECKOUT + "/k8s/base/rendered/rbac/worker.yaml"));
      shop.grantRights();
    }
    // Then
    story.endsWell();
    assertThat(shop.events("cache", "TaskRetryPending")).isEmpty();
  }

  @Test
  void shouldNameTheSearchAttributeThatTemporalLacks() {
    // Given
    var apps = new AtomicInteger();
    searchAttribute("remove", "--name", "MiddlewarePlugin", "--yes");
    try {
      // Then
      await("both not ready")
          .ignoreExceptions()
          .untilAsserted(
              () -> {
                assertThat(Engine.readyz(Engine.variable("WATCHER_URL")))
                    .contains("lacks MiddlewarePlugin (KEYWORD)");
                assertThat(Engine.readyz(Engine.variable("WORKER_URL")))
                    .contains("lacks MiddlewarePlugin (KEYWORD)");
              });
      // and an edit that Temporal refuses says so; a server for clusters may take a minute to do so
      await("an edit that Temporal refuses")
          .pollInterval(Duration.ofSeconds(5))
          .until(() -> refusal("one-" + apps.incrementAndGet()).contains("MiddlewarePlugin"));
    } finally {
      searchAttribute("create", "--name", "MiddlewarePlugin", "--type", "Keyword");
    }
    shop.awaitReady("one-" + apps);
    Engine.awaitReady(Engine.variable("WORKER_URL"));
  }

  /** Why the new App was not submitted; empty when it was. */
  private String refusal(String app) {
    shop.apply(shop.small(app));
    var seen =
        shop.awaitApp(
            app,
            it ->
                Shop.condition(it, "Submitted")
                    .or(() -> Shop.condition(it, "Accepted"))
                    .isPresent());
    return Shop.condition(seen, "Submitted").map(Condition::getMessage).orElse("");
  }

  private static void searchAttribute(String... arguments) {
    var line = new ArrayList<>(List.of("temporal", "operator", "search-attribute"));
    line.addAll(List.of(arguments));
    Engine.run(line);
  }

  /** {@code -Dkills=100} for more kills; {@code -Dseed=} makes the same choices again. */
  @ParameterizedTest
  @EnumSource
  void shouldGiveABadVersionToOnePodWhateverIsKilled(BadVersion bad) throws InterruptedException {
    // Given
    System.out.printf("%d kills, -Dseed=%d%n", KILLS, SEED);
    var random = new Random(SEED);
    bad.applyPlugin(shop);
    var killed = 0;
    for (var change = 0; killed < KILLS; change++) {
      var app = "cache-" + change;
      shop.apply(bad.app(shop, app, "7.0"));
      shop.awaitReady(app);
      var upgrade = AuditLog.fromNow();
      // When
      shop.apply(bad.app(shop, app, "7.2"));
      killed += killAtRandom(app, random, Math.min(KILLS - killed, KILLS_OF_ONE_CHANGE));
      // Then
      var failed = shop.awaitFailed(app).getStatus();
      assertThat(failed.tasks().getLast().error().reason()).isEqualTo(bad.reason);
      assertThat(upgrade.restarts(shop.namespace)).hasSizeLessThanOrEqualTo(1);
      // and nothing goes on by itself
      VICTIMS.forEach(Engine::kill);
      Engine.awaitReady(Engine.variable("WORKER_URL"));
      Engine.awaitReady(Engine.variable("WATCHER_URL"));
      shop.awaitQuiet();
      assertThat(BadVersion.pods(shop, app)).hasSize(1);
      assertThat(upgrade.restarts(shop.namespace)).isEqualTo(BadVersion.pods(shop, app));
      assertThat(shop.status(app).change()).isEqualTo(failed.change());
      delete(app);
    }
  }

  /** Returns when it is gone: what is stopped with it is no restart of the next App's. */
  private void delete(String app) {
    shop.client.resources(App.class).inNamespace(shop.namespace).withName(app).delete();
    await("App " + app + " gone").atMost(Shop.PATIENCE).until(() -> shop.app(app) == null);
  }

  private int killAtRandom(String app, Random random, int most) throws InterruptedException {
    for (var killed = 0; killed < most; killed++) {
      Thread.sleep(random.nextInt(LONGEST_PAUSE_MILLIS));
      var victim = VICTIMS.get(random.nextInt(VICTIMS.size()));
      var change = shop.status(app).change();
      if (change.generation() == 2 && change.outcome() != null) {
        return killed;
      }
      Engine.kill(victim);
      System.out.printf("%s killed: %s%n", victim, change);
    }
    return most;
  }

  /** For 3 s. */
  private void restAfterFirstPod() {
    try (var diary = story.deployed().diary()) {
      story.upgrading("interval: 3s");
      await("one pod made again")
          .until(() -> diary.lines().contains(Story.UPGRADE_ORDER.getFirst() + " ready"));
    }
  }

  private static int readiness() throws IOException {
    return Engine.readiness(Engine.variable("WATCHER_URL"));
  }
}
