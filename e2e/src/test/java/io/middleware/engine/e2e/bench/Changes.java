package io.middleware.engine.e2e.bench;

import static org.awaitility.Awaitility.await;

import io.middleware.engine.e2e.AuditLog;
import io.middleware.engine.e2e.Temporal;
import io.middleware.engine.e2e.bench.Fleet.Shape;
import io.temporal.api.enums.v1.EventType;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.client.WorkflowExecutionMetadata;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** One App's change alone: P1 step overhead, P6 events and actions, P14 writes. */
final class Changes {
  /** Of a run. */
  private static final int STEPS = 70;

  private static final Set<EventType> ACTIONS =
      Set.of(
          EventType.EVENT_TYPE_WORKFLOW_EXECUTION_STARTED,
          EventType.EVENT_TYPE_WORKFLOW_EXECUTION_SIGNALED,
          EventType.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED,
          EventType.EVENT_TYPE_TIMER_STARTED,
          EventType.EVENT_TYPE_MARKER_RECORDED,
          EventType.EVENT_TYPE_UPSERT_WORKFLOW_SEARCH_ATTRIBUTES);

  private final Fleet fleet;
  private final Figures figures;
  private final Steps steps;
  private final List<Double> overheads = new ArrayList<>();

  Changes(Fleet fleet, Figures figures) {
    this.fleet = fleet;
    this.figures = figures;
    this.steps = new Steps(fleet);
  }

  void warmUp(Shape shape) {
    for (int i = 0; i < 3; i++) {
      fleet.apply("warm-" + i, shape, "7.0");
      fleet.awaitReady("warm-" + i);
      fleet.apply("warm-" + i, shape, "7.2");
      fleet.awaitReady("warm-" + i);
    }
  }

  void measure(String name, String key, Shape shape) throws IOException, InterruptedException {
    var app = name.toLowerCase(Locale.ROOT);
    fleet.apply(app, shape, "7.0");
    fleet.awaitReady(app);
    awaitQuiet(fleet, app);
    var before = Counters.now();
    var audit = AuditLog.fromNow();
    var begin = Instant.now();
    fleet.apply(app, shape, "7.2");
    fleet.awaitReady(app);
    awaitQuiet(fleet, app);
    history(key, app);
    if (key.equals("M")) {
      figures.add("P6.actionsM.billed", Counters.now().since(before).actions());
      writes(shape, audit, app);
      steps(app, steps.overheads(audit, app, begin));
    }
  }

  /** Upgrades the App again and again, until there are enough steps for a 99th percentile. */
  private void steps(String app, List<Double> first) {
    var ofRun = new ArrayList<>(first);
    for (int i = 0; ofRun.size() < STEPS; i++) {
      var audit = AuditLog.fromNow();
      var begin = Instant.now();
      fleet.apply(app, Shape.M, i % 2 == 0 ? "7.0" : "7.2");
      fleet.awaitReady(app);
      awaitQuiet(fleet, app);
      ofRun.addAll(steps.overheads(audit, app, begin));
    }
    figures.add("P1.p50", Figures.percentile(ofRun, 50));
    overheads.addAll(ofRun);
  }

  /** The 99th percentile of all runs together, as one run has too few steps. */
  void summarize() {
    figures.add("P1.p99", Figures.percentile(overheads, 99));
  }

  static void awaitQuiet(Fleet fleet, String app) {
    try (var temporal = new Temporal()) {
      await()
          .atMost(Duration.ofSeconds(30))
          .until(
              () ->
                  temporal
                      .list(
                          "WorkflowId STARTS_WITH 'app/%s/%s' AND ExecutionStatus = 'Running'"
                              .formatted(fleet.namespace, app))
                      .isEmpty());
      Thread.sleep(1500);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void history(String key, String app) {
    var events = events(fleet, app);
    figures.add("P6." + key, events.size());
    if (key.equals("M")) {
      figures.add(
          "P6.actionsM",
          events.stream().map(HistoryEvent::getEventType).filter(ACTIONS::contains).count());
      print(events.stream().map(event -> event.getEventType().name()));
    }
  }

  /** Of the newest change, which is of generation 2, with all its workflows. */
  static List<HistoryEvent> events(Fleet fleet, String app) {
    try (var temporal = new Temporal()) {
      var root = temporal.runs(fleet.namespace, app).getFirst();
      var events = new ArrayList<HistoryEvent>(events(temporal, root));
      for (var child :
          temporal.list("WorkflowId STARTS_WITH 'app/%s/%s/2/'".formatted(fleet.namespace, app))) {
        events.addAll(events(temporal, child));
      }
      return events;
    }
  }

  /** How many there are of each kind. */
  private static void print(Stream<String> kinds) {
    kinds
        .collect(Collectors.groupingBy(kind -> kind, TreeMap::new, Collectors.counting()))
        .forEach((kind, count) -> System.err.printf("    %3d %s%n", count, kind));
  }

  private static List<HistoryEvent> events(Temporal temporal, WorkflowExecutionMetadata run) {
    return temporal
        .client
        .fetchHistory(run.getExecution().getWorkflowId(), run.getExecution().getRunId())
        .getHistory()
        .getEventsList();
  }

  /**
   * Writes beyond the objects that the upgrade changes (Components, Groups, StatefulSets) and the
   * pods.
   */
  private void writes(Shape shape, AuditLog audit, String app) {
    var all = audit.writes(fleet.namespace).stream().filter(w -> w.name().startsWith(app)).toList();
    var changed = shape.components() + 2 * shape.components() * shape.groups() + shape.all();
    figures.add("P14.extra", all.size() - changed);
    print(kinds(all));
    var afterwards = AuditLog.fromNow();
    fleet.apply(app, shape, "7.2");
    awaitQuiet(fleet, app);
    var unneeded = afterwards.writes(fleet.namespace);
    figures.add("P14.noop", unneeded.size());
    print(kinds(unneeded));
  }

  private static Stream<String> kinds(List<AuditLog.Entry> writes) {
    return writes.stream()
        .map(w -> w.user().replaceAll(".*:", "") + " " + w.verb() + " " + w.resource());
  }
}
