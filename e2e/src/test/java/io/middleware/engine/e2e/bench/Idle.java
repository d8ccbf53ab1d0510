package io.middleware.engine.e2e.bench;

import io.middleware.engine.e2e.AuditLog;
import io.middleware.engine.e2e.Engine;
import io.middleware.engine.e2e.Temporal;
import io.middleware.engine.e2e.bench.Fleet.Shape;
import io.temporal.client.WorkflowExecutionMetadata;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.concurrent.Executors;

/**
 * 1000 idle Apps: P2 how fast an edit is acted on, P9 what idling costs, P10 what the watcher
 * holds, P11 how soon the engine acts once it is started.
 */
final class Idle {
  private static final int APPS = 1000;
  private static final int EDITS = 30;
  private static final Duration MINUTE = Duration.ofMinutes(1);

  /** Until a watcher that was started, or has seen a thousand changes, has nothing left to do. */
  private static final Duration SETTLING = Duration.ofSeconds(90);

  private final Figures figures;

  Idle(Figures figures) {
    this.figures = figures;
  }

  void run(int runs) throws Exception {
    Engine.dev("restart", "watcher");
    var pid = Engine.pid("watcher");
    Thread.sleep(SETTLING);
    var empty = Machine.heap(pid);
    try (var fleet = new Fleet("bench-idle")) {
      fleet.apply(0, APPS, Shape.S);
      fleet.awaitReady(APPS);
      figures.add("P10.rss", Machine.rss(pid));
      figures.add("P10.worker", Machine.rss(Engine.pid("worker")));
      Thread.sleep(SETTLING);
      figures.add("P10.heap", Machine.heap(pid) - empty);
      idle(fleet);
      for (int run = 0; run < runs; run++) {
        reaction(fleet, run);
      }
      for (int run = 0; run < runs; run++) {
        start(fleet, "app-" + (APPS - 1 - run));
      }
    }
  }

  /** Both processes at once, with an edit that waits for them. */
  private void start(Fleet fleet, String app) throws InterruptedException {
    Engine.dev("stop", "watcher");
    Engine.dev("stop", "worker");
    var audit = AuditLog.fromNow();
    fleet.apply(app, Shape.S, "7.2");
    try (var threads = Executors.newFixedThreadPool(2)) {
      threads.submit(() -> Engine.dev("start", "watcher"));
      threads.submit(() -> Engine.dev("start", "worker"));
    }
    fleet.awaitReady(app);
    var started =
        started("watcher").isBefore(started("worker")) ? started("watcher") : started("worker");
    var first =
        audit.operations(fleet.namespace, app).stream()
            .map(AuditLog.Entry::at)
            .min(Instant::compareTo);
    figures.add("P11", Duration.between(started, first.orElseThrow()).toMillis() / 1e3);
  }

  private static Instant started(String process) {
    return ProcessHandle.of(Long.parseLong(Engine.pid(process)))
        .flatMap(found -> found.info().startInstant())
        .orElseThrow();
  }

  private void idle(Fleet fleet) throws InterruptedException {
    try (var temporal = new Temporal()) {
      var audit = AuditLog.fromNow();
      var requests = requests(fleet);
      var events = events(temporal);
      Thread.sleep(MINUTE);
      figures.add(
          "P9.open",
          temporal.list("ExecutionStatus = 'Running' AND WorkflowId STARTS_WITH 'app/'").size());
      figures.add("P9.events", events(temporal) - events);
      figures.add("P9.writes", audit.writes(fleet.namespace).size());
      figures.add("P9.rps", (requests(fleet) - requests) / MINUTE.toSeconds());
    }
  }

  /** In all histories so far, of whatever workflow. */
  private static long events(Temporal temporal) {
    return temporal.list("").stream().mapToLong(WorkflowExecutionMetadata::getHistoryLength).sum();
  }

  /**
   * All requests so far of service accounts outside kube-system, that is of the engine and its
   * agents.
   */
  private static double requests(Fleet fleet) {
    return Machine.sum(
        fleet.client.raw("/metrics"),
        "apiserver_flowcontrol_dispatched_requests_total{flow_schema=\"service-accounts\"");
  }

  private void reaction(Fleet fleet, int run) throws InterruptedException {
    var samples = new ArrayList<Double>();
    for (int edit = 0; edit < EDITS; edit++) {
      var app = "app-" + (run * EDITS + edit);
      var audit = AuditLog.fromNow();
      fleet.apply(app, Shape.S, "7.2");
      fleet.awaitReady(app);
      var mine = audit.in(fleet.namespace).stream().filter(e -> e.name().equals(app)).toList();
      var applied =
          mine.stream().filter(e -> e.resource().equals("apps")).findFirst().orElseThrow();
      var first = mine.stream().filter(AuditLog.Entry::isByEngine).findFirst().orElseThrow();
      samples.add(Duration.between(applied.at(), first.at()).toNanos() / 1e6);
      Thread.sleep(200);
    }
    figures.percentiles("P2", samples);
  }
}
