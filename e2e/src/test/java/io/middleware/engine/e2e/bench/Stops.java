package io.middleware.engine.e2e.bench;

import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.middleware.engine.api.App;
import io.middleware.engine.e2e.AuditLog;
import io.middleware.engine.e2e.Temporal;
import io.middleware.engine.e2e.bench.Fleet.Shape;
import io.temporal.client.WorkflowNotFoundException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * P13: an upgrade is cancelled or paused at a random moment, until its last operation.
 *
 * <p>Two Apps at a time, each upgraded there and back. Whoever stops does so from the answer to his
 * call; an upgrade that had ended by then does not count.
 */
final class Stops {
  private static final int TRIES = 52;
  private static final int APPS = 2;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** So long nothing may happen any more. */
  private static final Duration QUIET = Duration.ofSeconds(3);

  private static final int LONGEST_DELAY = 1500;

  private final Figures figures;

  Stops(Figures figures) {
    this.figures = figures;
  }

  /** A way to stop an App's change; ends with the answer of the server that was asked. */
  private interface Stop {
    void accept(Upgrades upgrades);
  }

  void run() throws Exception {
    try (var fleet = new Fleet("bench-stops");
        var temporal = new Temporal()) {
      IntStream.range(0, APPS).forEach(i -> fleet.apply("app-" + i, Shape.M, "7.0"));
      fleet.awaitReady(APPS);
      var upgrades =
          IntStream.range(0, APPS).mapToObj(i -> new Upgrades(fleet, "app-" + i)).toList();
      var cancels = new ArrayList<Double>();
      cancels.addAll(
          report("native cancel", measure(upgrades, TRIES / 2, u -> u.cancel(temporal))));
      cancels.addAll(report("annotation", measure(upgrades, TRIES / 2, Upgrades::annotate)));
      figures.add("P13.p99", Figures.percentile(cancels, 99));
      figures.add(
          "P13.pause",
          Figures.percentile(report("pause", measure(upgrades, TRIES, Upgrades::pause)), 99));
    }
  }

  /** How long after the stop, and what it was. */
  private record Last(double millis, String operation) {}

  private static List<Double> report(String how, List<Last> lasts) {
    var samples = lasts.stream().map(Last::millis).toList();
    System.err.printf(
        "    %s, %d tries: p50 %.0f p90 %.0f p99 %.0f ms; slowest: %s%n",
        how,
        samples.size(),
        Figures.percentile(samples, 50),
        Figures.percentile(samples, 90),
        Figures.percentile(samples, 99),
        lasts.stream()
            .sorted(Comparator.comparing(Last::millis).reversed())
            .limit(3)
            .map(last -> "%.0f ms %s".formatted(last.millis(), last.operation()))
            .collect(Collectors.joining(", ")));
    return samples;
  }

  private static List<Last> measure(List<Upgrades> all, int tries, Stop stop) throws Exception {
    var samples = Collections.synchronizedList(new ArrayList<Last>());
    try (var threads = Executors.newFixedThreadPool(all.size())) {
      var running = new ArrayList<Future<?>>();
      for (var upgrades : all) {
        running.add(
            threads.submit(
                () -> {
                  while (samples.size() < tries) {
                    upgrades.stop(stop, samples);
                  }
                  return null;
                }));
      }
      for (var one : running) {
        one.get();
      }
    }
    return samples;
  }

  /** One App, upgraded again and again. */
  private static final class Upgrades {
    private final Fleet fleet;
    private final String app;
    private String version = "7.2";
    private int edits;

    Upgrades(Fleet fleet, String app) {
      this.fleet = fleet;
      this.app = app;
    }

    /** Goes on with what an earlier stop left, or the other way when nothing is left. */
    void stop(Stop stop, List<Last> samples) throws InterruptedException {
      var audit = AuditLog.fromNow();
      edits++;
      edit("paused: false");
      await()
          .atMost(PATIENCE)
          .pollInterval(Duration.ofMillis(50))
          .until(() -> restarts(audit) > 0 || isDone());
      Thread.sleep(ThreadLocalRandom.current().nextInt(LONGEST_DELAY));
      if (!isDone()) {
        try {
          stop.accept(this);
        } catch (WorkflowNotFoundException e) {
          return; // it has just ended
        }
        var accepted = Instant.now();
        Thread.sleep(QUIET);
        if (!isDone()) {
          samples.add(sinceThen(audit, accepted));
          return;
        }
      }
      version = version.equals("7.2") ? "7.0" : "7.2";
    }

    private long restarts(AuditLog audit) {
      return audit.restarts(fleet.namespace).stream().filter(p -> p.startsWith(app + "-")).count();
    }

    private boolean isDone() {
      return Fleet.isReady(fleet.app(app));
    }

    private Last sinceThen(AuditLog audit, Instant accepted) {
      return audit.operations(fleet.namespace, app).stream()
          .filter(entry -> accepted.isBefore(entry.at()))
          .max(Comparator.comparing(AuditLog.Entry::at))
          .map(entry -> last(entry, accepted))
          .orElse(new Last(0, "nothing"));
    }

    private static Last last(AuditLog.Entry entry, Instant accepted) {
      return new Last(
          Duration.between(accepted, entry.at()).toNanos() / 1e6,
          "%s %s %s".formatted(entry.verb(), entry.resource(), entry.name()));
    }

    /** Another pause between attempts makes it another generation. */
    private void edit(String paused) {
      fleet.apply(
          app,
          Shape.M,
          version,
          paused,
          "change: {onCancel: Hold, retryBackoff: %ds}".formatted(1 + edits % 60));
    }

    void cancel(Temporal temporal) {
      temporal.client.newUntypedWorkflowStub("app/" + fleet.namespace + "/" + app).cancel();
    }

    void annotate() {
      fleet
          .client
          .resources(App.class)
          .inNamespace(fleet.namespace)
          .withName(app)
          .patch(
              PatchContext.of(PatchType.JSON_MERGE),
              "{\"metadata\": {\"annotations\": {\"middleware.io/cancel-control\": \"{}\"}}}");
    }

    void pause() {
      edit("paused: true");
    }
  }
}
