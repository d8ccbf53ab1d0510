package io.middleware.engine.e2e.bench;

import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.middleware.engine.api.App;
import io.middleware.engine.api.AppStatus;
import io.middleware.engine.e2e.Temporal;
import io.middleware.engine.e2e.bench.Fleet.Shape;
import io.temporal.client.WorkflowExecutionMetadata;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/** P15: a task begins or ends, that is its child workflow does, until the App's status says so. */
final class Visibility {
  private static final int APPS = 4;

  private static final int WORDS_OF_A_TASK = 5;

  /** In ms; what takes longer is printed. */
  private static final double REPORTED = 300;

  private final Figures figures;
  private final Map<String, Instant> seen = new ConcurrentHashMap<>();

  Visibility(Figures figures) {
    this.figures = figures;
  }

  void run(int runs) throws Exception {
    try (var fleet = new Fleet("bench-visibility")) {
      fleet.client.resources(App.class).inNamespace(fleet.namespace).inform(new Sightings());
      for (int run = 0; run < runs; run++) {
        var from = run * APPS;
        upgrade(fleet, from, "7.0");
        upgrade(fleet, from, "7.2");
        figures.add("P15", Figures.percentile(delays(fleet, from), 99));
      }
    }
  }

  private static void upgrade(Fleet fleet, int from, String version) throws InterruptedException {
    for (int i = from; i < from + APPS; i++) {
      fleet.apply("app-" + i, Shape.M, version);
      Thread.sleep(300);
    }
    IntStream.range(from, from + APPS).forEach(i -> fleet.awaitReady("app-" + i));
  }

  private List<Double> delays(Fleet fleet, int from) throws InterruptedException {
    Thread.sleep(1500);
    var delays = new ArrayList<Double>();
    try (var temporal = new Temporal()) {
      for (int i = from; i < from + APPS; i++) {
        var id = "app/%s/app-%d/".formatted(fleet.namespace, i);
        temporal.list("WorkflowId STARTS_WITH '%s'".formatted(id)).stream()
            .filter(run -> words(run).length == WORDS_OF_A_TASK)
            .forEach(run -> delays.addAll(delays(run)));
      }
    }
    return delays;
  }

  private List<Double> delays(WorkflowExecutionMetadata run) {
    var task = words(run)[2] + "/" + words(run)[4];
    return List.of(
        delay(run.getStartTime(), task + " InProgress"), delay(run.getCloseTime(), task + " Done"));
  }

  /** app, namespace, App, generation, task, and the group for the workflows below. */
  private static String[] words(WorkflowExecutionMetadata run) {
    return run.getExecution().getWorkflowId().split("/");
  }

  private double delay(Instant transition, String sighting) {
    var shown = seen.get(sighting);
    if (shown == null) {
      throw new IllegalStateException("the status never said: " + sighting);
    }
    var delay = Math.max(0, Duration.between(transition, shown).toNanos() / 1e6);
    if (delay > REPORTED) {
      System.err.printf("    %s %s: seen after %.0f ms%n", transition, sighting, delay);
    }
    return delay;
  }

  /** When a task was first seen to have begun, and to be done. */
  private final class Sightings implements ResourceEventHandler<App> {
    @Override
    public void onAdd(App app) {
      note(app);
    }

    @Override
    public void onUpdate(App before, App app) {
      note(app);
    }

    @Override
    public void onDelete(App app, boolean unknown) {}

    private void note(App app) {
      Optional.ofNullable(app.getStatus()).map(AppStatus::tasks).stream()
          .flatMap(List::stream)
          .filter(task -> !task.status().equals("Pending"))
          .forEach(
              task -> {
                var id = app.getMetadata().getName() + "/" + task.id() + " ";
                seen.putIfAbsent(id + "InProgress", Instant.now());
                seen.putIfAbsent(id + task.status(), Instant.now());
              });
    }
  }
}
