package io.middleware.engine.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.grpc.StatusRuntimeException;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.change.ChangeStatus;
import io.temporal.api.enums.v1.EventType;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.client.WorkflowException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** An App of some pods, its users and its operators, as a seed has it. */
public final class RandomApp {
  private static final int MOST_ACTS = 6;
  private static final int LONGEST_PAUSE_MILLIS = 2500;
  private static final int MOST_REPLICAS = 3;
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final Shop shop;
  private final Temporal temporal;
  private final Random random;
  private final String name;
  private final List<String> told = new ArrayList<>();
  private int replicas = 2;
  private String version = "7.0";
  private boolean paused;

  public RandomApp(Shop shop, Temporal temporal, long seed) {
    this.shop = shop;
    this.temporal = temporal;
    this.random = new Random(seed);
    this.name = "r" + seed;
  }

  /** It leads from 7.2 to 7.0 as well, so that an App can be changed again and again. */
  public static Yaml plugin(Shop shop) {
    return shop.sample("plugin-redis.yaml")
        .replace("redis-v1.0.0", "redis-v1.0.7")
        .replace("version: 1.0.0", "version: 1.0.7")
        .replace("- version: \"7.0\"\n", "- version: \"7.0\"\n      upgradesFrom: [\"7.2\"]\n");
  }

  /** What has happened to it so far. */
  public String told() {
    return String.join("; ", told);
  }

  /** What is left of it. */
  public String left() {
    return new AppSnapshot(shop, temporal, name).text();
  }

  /** From its first edit until its newest spec is in force; it is gone then. */
  public void live() {
    apply();
    for (int acts = 3 + random.nextInt(MOST_ACTS - 2); acts > 0; acts--) {
      rest(Duration.ofMillis(random.nextInt(LONGEST_PAUSE_MILLIS)));
      act();
    }
    settle();
    assertThatAllIsAsTheSpecSays();
    persist(
        () -> shop.client.resources(App.class).inNamespace(shop.namespace).withName(name).delete());
    await(name + " gone").atMost(PATIENCE).ignoreExceptions().until(() -> shop.app(name) == null);
    assertThatNoRunIsOpen();
  }

  private void act() {
    switch (random.nextInt(10)) {
      case 0, 1, 2 -> upgrade();
      case 3 -> scale();
      case 4 -> pause();
      case 5 -> ask(Labels.CANCEL_CONTROL);
      case 6 -> ask(Labels.RETRY_CONTROL);
      case 7 ->
          interfere("cancel", () -> temporal.client.newUntypedWorkflowStub(workflow()).cancel());
      case 8 ->
          interfere(
              "terminate",
              () -> temporal.client.newUntypedWorkflowStub(workflow()).terminate("e2e"));
      default -> interfere("reset", this::reset);
    }
  }

  private void upgrade() {
    version = version.equals("7.0") ? "7.2" : "7.0";
    apply();
  }

  private void scale() {
    replicas = replicas % MOST_REPLICAS + 1;
    apply();
  }

  private void pause() {
    paused = !paused;
    apply();
  }

  private void apply() {
    note("%d x %s%s".formatted(replicas, version, paused ? ", paused" : ""));
    persist(() -> shop.applyPlugin(yaml()));
  }

  private void ask(String annotation) {
    note(annotation);
    persist(
        () ->
            shop.client
                .resources(App.class)
                .inNamespace(shop.namespace)
                .withName(name)
                .edit(
                    app -> {
                      app.getMetadata().getAnnotations().put(annotation, "{}");
                      return app;
                    }));
  }

  /** Temporal may be away, and the run over. */
  private void interfere(String what, Runnable act) {
    note(what);
    try {
      act.run();
    } catch (WorkflowException | StatusRuntimeException e) {
      note("(" + e.getClass().getSimpleName() + ")");
    }
  }

  /** Of any run, to any of its events. */
  private void reset() {
    var runs = temporal.runs(shop.namespace, name);
    if (runs.isEmpty()) {
      return;
    }
    var run = runs.get(random.nextInt(runs.size())).getExecution();
    var events =
        temporal.client.fetchHistory(run.getWorkflowId(), run.getRunId()).getEvents().stream()
            .filter(e -> e.getEventType() == EventType.EVENT_TYPE_WORKFLOW_TASK_COMPLETED)
            .map(HistoryEvent::getEventId)
            .toList();
    if (!events.isEmpty()) {
      temporal.reset(run, events.get(random.nextInt(events.size())));
    }
  }

  /** The last word of the users: nothing is paused, and what was cancelled is edited again. */
  private void settle() {
    if (paused) {
      pause();
    }
    var until = Instant.now().plus(PATIENCE);
    while (!isReady(look())) {
      assertThat(Instant.now()).as("Ready; %s", shop.status(name)).isBefore(until);
      ended()
          .filter(change -> !List.of("Succeeded", "Terminated").contains(change.outcome()))
          .ifPresent(
              change -> {
                note(change.outcome());
                assertThatItIsNotCalledReady(change);
                scale();
              });
      rest(Duration.ofMillis(500));
    }
  }

  /**
   * While the watcher is dead or stands still, the condition may still speak of an earlier
   * generation; it does not count as that of this one.
   */
  private void assertThatItIsNotCalledReady(ChangeStatus change) {
    var app = look();
    if (app.getMetadata().getGeneration().equals(change.generation()) && !isInForce()) {
      assertThat(isReady(app)).as("Ready after %s: %s", change, app.getStatus()).isFalse();
    }
  }

  /** The end of the change of the newest generation. */
  private Optional<ChangeStatus> ended() {
    var app = look();
    return Optional.ofNullable(app.getStatus())
        .map(status -> status.change())
        .filter(change -> app.getMetadata().getGeneration().equals(change.generation()))
        .filter(change -> change.outcome() != null);
  }

  private static boolean isReady(App app) {
    var generation = app.getMetadata().getGeneration();
    return Shop.condition(app, "Ready")
        .filter(ready -> ready.getStatus().equals("True"))
        .filter(ready -> generation.equals(ready.getObservedGeneration()))
        .isPresent();
  }

  private void assertThatAllIsAsTheSpecSays() {
    await(name + " has ended")
        .atMost(PATIENCE)
        .ignoreExceptions()
        .until(() -> ended().filter(it -> it.outcome().equals("Succeeded")).isPresent());
    assertThat(isInForce()).as("%d x %s in force", replicas, version).isTrue();
    assertThatNoRunIsOpen();
  }

  private boolean isInForce() {
    var set = set();
    var pods = new ArrayList<>(shop.pods(name));
    return set.isPresent()
        && set.get().getSpec().getReplicas() == replicas
        && pods.size() == replicas
        && pods.stream()
            .allMatch(
                pod -> pod.getSpec().getContainers().getFirst().getImage().endsWith(":" + version));
  }

  private void assertThatNoRunIsOpen() {
    await(name + " has no run open")
        .atMost(PATIENCE)
        .ignoreExceptions()
        .until(() -> temporal.open(shop.namespace, name).isEmpty());
  }

  private Optional<StatefulSet> set() {
    return Optional.ofNullable(
        shop.client
            .apps()
            .statefulSets()
            .inNamespace(shop.namespace)
            .withName(name + "-sentinel-all")
            .get());
  }

  private App look() {
    var seen = new App[1];
    persist(() -> seen[0] = shop.app(name));
    return seen[0];
  }

  private String workflow() {
    return "app/%s/%s".formatted(shop.namespace, name);
  }

  private Yaml yaml() {
    return shop.small(name)
        .replace("version: 1.0.0", "version: 1.0.7")
        .replace("replicas: 1", "replicas: " + replicas)
        .replace("\"7.0\"", "\"" + version + "\"")
        .plus(paused ? "  paused: true\n" : "");
  }

  /** As a person does while the API server is away. */
  private static void persist(Runnable act) {
    await("the API server")
        .atMost(PATIENCE)
        .ignoreExceptionsInstanceOf(KubernetesClientException.class)
        .until(
            () -> {
              act.run();
              return true;
            });
  }

  private void note(String what) {
    told.add(what);
  }

  private static void rest(Duration duration) {
    try {
      Thread.sleep(duration);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
