package io.middleware.engine.e2e.bench;

import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.readiness.Readiness;
import io.middleware.engine.e2e.AuditLog;
import io.middleware.engine.e2e.Temporal;
import io.middleware.engine.e2e.bench.Fleet.Shape;
import io.temporal.api.enums.v1.EventType;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.client.WorkflowExecutionMetadata;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** One App's change alone: P1 step overhead, P6 events and actions, P14 writes. */
final class Changes {
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
  private final Map<String, Instant> readySince = new ConcurrentHashMap<>();

  Changes(Fleet fleet, Figures figures) {
    this.fleet = fleet;
    this.figures = figures;
    fleet.client.pods().inNamespace(fleet.namespace).inform(new ReadyTimes());
  }

  /** When each pod, by name and uid, was first seen Ready. */
  private final class ReadyTimes implements ResourceEventHandler<Pod> {
    @Override
    public void onAdd(Pod pod) {
      note(pod);
    }

    @Override
    public void onUpdate(Pod before, Pod pod) {
      note(pod);
    }

    @Override
    public void onDelete(Pod pod, boolean unknown) {}

    private void note(Pod pod) {
      if (Readiness.isPodReady(pod)) {
        readySince.putIfAbsent(
            pod.getMetadata().getName() + "/" + pod.getMetadata().getUid(), Instant.now());
      }
    }
  }

  void warmUp(Shape shape) {
    for (int i = 0; i < 3; i++) {
      fleet.apply("warm-" + i, shape, "7.0");
      fleet.awaitReady("warm-" + i);
      fleet.apply("warm-" + i, shape, "7.2");
      fleet.awaitReady("warm-" + i);
    }
  }

  void measure(String name, String key, Shape shape) {
    var app = name.toLowerCase(Locale.ROOT);
    fleet.apply(app, shape, "7.0");
    fleet.awaitReady(app);
    awaitQuiet(app);
    var audit = AuditLog.fromNow();
    var begin = Instant.now();
    fleet.apply(app, shape, "7.2");
    fleet.awaitReady(app);
    awaitQuiet(app);
    history(key, app);
    if (key.equals("M")) {
      writes(shape, audit, app);
      steps(audit, app, begin);
    }
  }

  private void awaitQuiet(String app) {
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
    try (var temporal = new Temporal()) {
      var root = temporal.runs(fleet.namespace, app).getFirst();
      var events = new ArrayList<HistoryEvent>(events(temporal, root));
      for (var child :
          temporal.list("WorkflowId STARTS_WITH 'app/%s/%s/2/'".formatted(fleet.namespace, app))) {
        events.addAll(events(temporal, child));
      }
      figures.add("P6." + key, events.size());
      if (key.equals("M")) {
        figures.add(
            "P6.actionsM",
            events.stream().map(HistoryEvent::getEventType).filter(ACTIONS::contains).count());
      }
    }
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
    all.stream()
        .collect(
            Collectors.groupingBy(
                w -> w.user().replaceAll(".*:", "") + " " + w.verb() + " " + w.resource(),
                TreeMap::new,
                Collectors.counting()))
        .forEach((kind, count) -> System.err.printf("    %3d %s%n", count, kind));
    var noop = AuditLog.fromNow();
    fleet.apply(app, shape, "7.2");
    awaitQuiet(app);
    figures.add("P14.noop", noop.writes(fleet.namespace).size());
  }

  private void steps(AuditLog audit, String app, Instant begin) {
    var restarts =
        audit.writes(fleet.namespace).stream()
            .filter(w -> w.resource().equals("pods/eviction") && w.name().startsWith(app))
            .toList();
    var overheads = new ArrayList<Double>();
    restarts.stream()
        .collect(Collectors.groupingBy(restart -> group(restart.name())))
        .values()
        .forEach(ofGroup -> overheads.addAll(overheads(ofGroup, begin)));
    figures.percentiles("P1", overheads);
  }

  private List<Double> overheads(List<AuditLog.Entry> restarts, Instant begin) {
    var overheads = new ArrayList<Double>();
    for (int i = 1; i < restarts.size(); i++) {
      var ready = readyAgain(restarts.get(i - 1).name(), begin);
      overheads.add(Duration.between(ready, restarts.get(i).at()).toNanos() / 1e6);
    }
    return overheads;
  }

  private Instant readyAgain(String pod, Instant begin) {
    return readySince.entrySet().stream()
        .filter(entry -> entry.getKey().startsWith(pod + "/"))
        .map(Map.Entry::getValue)
        .filter(begin::isBefore)
        .max(Instant::compareTo)
        .orElseThrow();
  }

  private static String group(String pod) {
    return pod.substring(0, pod.lastIndexOf('-'));
  }
}
