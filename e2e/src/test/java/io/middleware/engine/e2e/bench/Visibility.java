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
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

/**
 * P15: a task begins or ends, that is its child workflow does, until the App's status says so.
 * P15.tests: the same while 100 tests check, each its own App. P15.crowd: the same while 100 Apps
 * change; P15.new: how long a new App takes then. P15.testing: likewise, changed by tests.
 */
final class Visibility {
  private static final int APPS = 4;

  /** Tests that check. */
  private static final int TESTS = 100;

  /** With the measured ones, 100 Apps change. */
  private static final int CROWD = 100 - APPS;

  /** Number of the crowd's first App. */
  private static final int FIRST_OF_CROWD = 1000;

  private static final int WORDS_OF_A_TASK = 5;

  /** In ms; what takes longer is printed. */
  private static final double REPORTED = 300;

  private final Figures figures;
  private final Map<String, Instant> seen = new ConcurrentHashMap<>();

  Visibility(Figures figures) {
    this.figures = figures;
  }

  /** Each run without the tests, and then with them. */
  void runBesideTests(int runs) throws Exception {
    try (var fleet = new Fleet("bench-visibility-tests")) {
      watch(fleet);
      for (int run = 0; run < runs; run++) {
        var from = 2 * run * APPS;
        measure("P15", fleet, from);
        try (var tests = RunningTests.checking(fleet, "checked-" + run, TESTS)) {
          measure("P15.tests", fleet, from + APPS);
          tests.requireRunning();
        }
      }
    }
  }

  private void measure(String key, Fleet fleet, int from) throws InterruptedException {
    apply(fleet, from, "7.0");
    apply(fleet, from, "7.2");
    figures.add(key, Figures.percentile(delays(fleet, from, 1), 99));
  }

  /** Upgrades, and a new App, while a crowd of Apps is changed all the time. */
  void runInCrowd(int runs) throws Exception {
    try (var fleet = new Fleet("bench-visibility-crowd")) {
      watch(fleet);
      for (int run = 0; run < runs; run++) {
        apply(fleet, run * APPS, "7.0");
      }
      fleet.apply(FIRST_OF_CROWD, CROWD, Shape.S);
      fleet.awaitReady(runs * APPS + CROWD);
      var enough = new AtomicBoolean();
      try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
        var crowd =
            IntStream.range(FIRST_OF_CROWD, FIRST_OF_CROWD + CROWD)
                .<Future<?>>mapToObj(app -> threads.submit(() -> change(fleet, app, enough)))
                .toList();
        try {
          for (int run = 0; run < runs; run++) {
            var from = run * APPS;
            apply(fleet, from, "7.2");
            figures.add("P15.crowd", Figures.percentile(delays(fleet, from, 2), 99));
            figures.add("P15.new", secondsToDeploy(fleet, "new-" + run));
          }
        } finally {
          enough.set(true);
        }
        for (var changes : crowd) {
          changes.get();
        }
      }
    }
  }

  private static double secondsToDeploy(Fleet fleet, String app) {
    var begin = System.nanoTime();
    fleet.awaitSeenReady(app, fleet.apply(app, Shape.S, "7.0"));
    return (System.nanoTime() - begin) / 1e9;
  }

  /** Upgrades alone, while tests change the other Apps. */
  void runWhileTestsChange(int runs) throws Exception {
    try (var fleet = new Fleet("bench-visibility-testing")) {
      watch(fleet);
      for (int run = 0; run < runs; run++) {
        apply(fleet, run * APPS, "7.0");
      }
      try (var tests = RunningTests.changing(fleet, "changed", CROWD)) {
        for (int run = 0; run < runs; run++) {
          var from = run * APPS;
          apply(fleet, from, "7.2");
          figures.add("P15.testing", Figures.percentile(delays(fleet, from, 2), 99));
        }
        tests.requireRunning();
      }
    }
  }

  private void watch(Fleet fleet) {
    seen.clear();
    fleet.client.resources(App.class).inNamespace(fleet.namespace).inform(new Sightings());
  }

  private static void change(Fleet fleet, int app, AtomicBoolean enough) {
    while (!enough.get()) {
      fleet.changeSmall("app-" + app);
    }
  }

  private static void apply(Fleet fleet, int from, String version) throws InterruptedException {
    var generations = new ArrayList<Long>();
    for (int i = from; i < from + APPS; i++) {
      generations.add(fleet.apply("app-" + i, Shape.M, version));
      Thread.sleep(300);
    }
    for (int i = 0; i < APPS; i++) {
      fleet.awaitSeenReady("app-" + (from + i), generations.get(i));
    }
  }

  /** Of the changes from this generation on. */
  private List<Double> delays(Fleet fleet, int from, int generation) throws InterruptedException {
    Thread.sleep(1500);
    var delays = new ArrayList<Double>();
    try (var temporal = new Temporal()) {
      for (int i = from; i < from + APPS; i++) {
        var id = "app/%s/app-%d/".formatted(fleet.namespace, i);
        temporal.list("WorkflowId STARTS_WITH '%s'".formatted(id)).stream()
            .filter(run -> words(run).length == WORDS_OF_A_TASK)
            .filter(run -> Integer.parseInt(words(run)[3]) >= generation)
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
