package io.middleware.engine.e2e.bench;

import static org.awaitility.Awaitility.await;

import io.middleware.engine.e2e.AuditLog;
import io.middleware.engine.e2e.Engine;
import io.middleware.engine.e2e.bench.Fleet.Shape;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ThreadLocalRandom;

/** P12: a process of the engine is killed, until the engine's next operation. */
final class Kills {
  private static final int TRIES = 5;
  private static final String APP = "app";
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** One that lives shorter is started again later by its supervisor. */
  private static final Duration LONG_LIFE = Duration.ofSeconds(11);

  private final Figures figures;

  Kills(Figures figures) {
    this.figures = figures;
  }

  void run() throws Exception {
    try (var fleet = new Fleet("bench-kills")) {
      fleet.apply(APP, Shape.M, "7.0");
      fleet.awaitReady(APP);
      for (int i = 0; i < TRIES; i++) {
        worker(fleet, "7.2");
        watcher(fleet, "7.0");
      }
    }
  }

  /** In the middle of an upgrade. */
  private void worker(Fleet fleet, String version) throws InterruptedException {
    Thread.sleep(LONG_LIFE);
    var audit = AuditLog.fromNow();
    fleet.apply(APP, Shape.M, version);
    await().atMost(PATIENCE).until(() -> !audit.restarts(fleet.namespace).isEmpty());
    Thread.sleep(ThreadLocalRandom.current().nextInt(2000));
    Engine.kill("worker");
    figures.add("P12.worker", untilNext(fleet, audit, Instant.now()));
    settle(fleet, "WORKER_URL");
  }

  /** Just before an edit. */
  private void watcher(Fleet fleet, String version) throws InterruptedException {
    Thread.sleep(LONG_LIFE);
    var audit = AuditLog.fromNow();
    Engine.kill("watcher");
    var killed = Instant.now();
    fleet.apply(APP, Shape.M, version);
    figures.add("P12.watcher", untilNext(fleet, audit, killed));
    settle(fleet, "WATCHER_URL");
  }

  private static void settle(Fleet fleet, String url) {
    Engine.awaitReady(Engine.variable(url));
    fleet.awaitReady(APP);
  }

  /** In seconds. */
  private static double untilNext(Fleet fleet, AuditLog audit, Instant killed) {
    var next =
        await()
            .atMost(PATIENCE)
            .until(
                () ->
                    audit.operations(fleet.namespace, APP).stream()
                        .map(AuditLog.Entry::at)
                        .filter(killed::isBefore)
                        .findFirst(),
                java.util.Optional::isPresent);
    return Duration.between(killed, next.orElseThrow()).toMillis() / 1e3;
  }
}
