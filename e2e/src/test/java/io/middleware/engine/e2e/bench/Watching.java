package io.middleware.engine.e2e.bench;

import static java.util.stream.Collectors.toMap;
import static org.awaitility.Awaitility.await;

import io.middleware.engine.e2e.Engine;
import io.middleware.engine.e2e.bench.Fleet.Shape;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

/**
 * P18: what the background checks of 1000 changes cost. Each change has replaced one of two pods,
 * and pauses before the other. Each check is a query of its own to a real Prometheus, every 10 s.
 * The same changes without their checks are measured before: then the worker has a slot for one.
 */
final class Watching {
  private static final int APPS = 1000;
  private static final int ONE_SLOT = 1;
  private static final Duration MEASURED = Duration.ofMinutes(1);

  /** Longer than a heartbeat timeout: by then Temporal has given up the attempts of before. */
  private static final Duration WITHOUT_ATTEMPTS = Duration.ofSeconds(75);

  /** Of a worker that has just begun. */
  private static final Duration SETTLING = Duration.ofSeconds(20);

  private static final Duration PATIENCE = Duration.ofMinutes(15);
  private static final Shape TWO_PODS = new Shape(1, 1, 2);
  private static final String CHECK =
      "{name: serves, during: Change, every: 10s, allOf: [{prometheus: {"
          + "query: \"count(up{job!='$(app)'})\", cel: \"result[0] > 0.0\"}}]}";
  private static final String PAUSE_BETWEEN_PODS = "change: {interval: 2h}";
  private static final List<String> PROCESSES =
      List.of("worker", "temporal", "kube-apiserver", "etcd", "watcher", "prometheus");

  private final Figures figures;
  private String prometheus = "";

  Watching(Figures figures) {
    this.figures = figures;
  }

  /**
   * @param cores of each process
   * @param queries to Prometheus each second
   * @param heartbeats to Temporal each second
   */
  private record Load(Map<String, Double> cores, double queries, double heartbeats) {}

  void run(int runs) throws Exception {
    Engine.dev("start", "prometheus");
    prometheus = Engine.variables().get("PROMETHEUS_URL");
    restart(APPS);
    try (var fleet = new Fleet("bench-watching")) {
      fleet.apply(0, APPS, TWO_PODS);
      fleet.awaitReady(APPS);
      upgrade(fleet);
      awaitWatched(APPS);
      for (int run = 0; run < runs; run++) {
        restart(ONE_SLOT);
        Thread.sleep(WITHOUT_ATTEMPTS);
        var without = measure();
        restart(APPS);
        awaitWatched(APPS);
        Thread.sleep(SETTLING);
        report(without, measure());
      }
    } finally {
      Engine.dev("stop", "worker");
      Engine.dev("start", "worker");
    }
  }

  private static void upgrade(Fleet fleet) {
    try (var threads = Executors.newFixedThreadPool(20)) {
      IntStream.range(0, APPS)
          .forEach(
              i ->
                  threads.submit(
                      () ->
                          fleet.applyChecked(
                              "app-" + i, TWO_PODS, "7.2", CHECK, PAUSE_BETWEEN_PODS)));
    }
  }

  private void restart(int slots) {
    Engine.dev("stop", "worker");
    Engine.start(
        "worker",
        Map.of(
            "ENGINE_WORKER_CHECKS",
            String.valueOf(slots),
            "ENGINE_CHECKS_PROMETHEUS_URL",
            prometheus));
    Engine.awaitReady(Engine.variable("WORKER_URL"));
  }

  private static void awaitWatched(int changes) {
    await(changes + " changes watched")
        .atMost(PATIENCE)
        .pollInterval(Duration.ofSeconds(1))
        .until(() -> watched() >= changes);
  }

  private static double watched() throws IOException {
    return Engine.metrics(Engine.variable("WORKER_URL"))
        .lines()
        .filter(line -> line.startsWith("temporal_worker_task_slots_used"))
        .filter(line -> line.contains("\"ActivityWorker\""))
        .filter(line -> line.contains("task_queue=\"engine-checks\""))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
        .sum();
  }

  private Load measure() throws IOException, InterruptedException {
    var cpu = cpu();
    var queries = queries();
    var counters = Counters.now();
    Thread.sleep(MEASURED);
    var seconds = MEASURED.toSeconds();
    var after = cpu();
    return new Load(
        PROCESSES.stream()
            .collect(toMap(it -> it, it -> (after.get(it) - cpu.get(it)) / MEASURED.toMillis())),
        (queries() - queries) / seconds,
        Counters.now().since(counters).heartbeats() / seconds);
  }

  private static Map<String, Double> cpu() {
    return PROCESSES.stream().collect(toMap(it -> it, it -> Machine.cpu(Engine.pid(it))));
  }

  private double queries() throws IOException {
    return Engine.metrics(prometheus)
        .lines()
        .filter(line -> line.startsWith("prometheus_http_requests_total"))
        .filter(line -> line.contains("\"/api/v1/query\""))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
        .sum();
  }

  private void report(Load without, Load with) {
    PROCESSES.forEach(
        it ->
            System.err.printf(
                "    %s: %.3f cores, %.3f without checks%n",
                it, with.cores().get(it), without.cores().get(it)));
    System.err.printf("    %.1f queries a second%n", with.queries());
    figures.add("P18.checks", more(with, without, "worker"));
    figures.add("P18.temporal", more(with, without, "temporal"));
    figures.add("P18.api", more(with, without, "kube-apiserver", "etcd"));
    figures.add("P18.prometheus", more(with, without, "prometheus"));
    figures.add("P18.heartbeats", with.heartbeats() - without.heartbeats());
  }

  private static double more(Load with, Load without, String... processes) {
    return List.of(processes).stream()
        .mapToDouble(it -> with.cores().get(it) - without.cores().get(it))
        .sum();
  }
}
