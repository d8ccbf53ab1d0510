package io.middleware.engine.cluster.status;

import io.middleware.engine.api.App;
import io.middleware.engine.api.AppStatus;
import io.middleware.engine.api.task.ChangeOutcome;
import io.middleware.engine.api.task.ChangeTask;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.TaskPhase;
import io.middleware.engine.api.task.TaskPolicy;
import io.middleware.engine.workflows.port.ChangeProgress;
import io.middleware.engine.workflows.port.ChangeProgress.End;
import io.middleware.engine.workflows.port.ChangeProgress.Hold;
import io.middleware.engine.workflows.port.ChangeProgress.Notes;
import io.middleware.engine.workflows.port.ChangeProgress.PendingEdit;
import io.middleware.engine.workflows.port.ChangeRef;
import io.middleware.engine.workflows.port.TaskProgress;
import io.middleware.engine.workflows.port.TaskProgress.Fault;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A change of generation 7 of two tasks, one after the other, at some point of its way. */
public record Progress(
    boolean planned,
    List<TaskProgress> tasks,
    Optional<Long> pending,
    long superseded,
    Optional<String> degraded,
    Optional<End> end) {
  public static final Instant START = Instant.parse("2026-11-21T10:00:00.123Z");
  public static final Instant LATER = Instant.parse("2026-11-21T10:00:21Z");
  static final Instant NOW = Instant.parse("2026-11-21T10:00:40Z");

  static Progress unplanned() {
    return new Progress(false, List.of(), Optional.empty(), 0, Optional.empty(), Optional.empty());
  }

  /** Neither task has begun. */
  public static Progress fresh() {
    return new Progress(
        true,
        List.of(TaskProgress.of(task("sentinel", 0)), TaskProgress.of(task("redis-nodes", 1))),
        Optional.empty(),
        0,
        Optional.empty(),
        Optional.empty());
  }

  public Progress move(int task, TaskPhase phase, Instant at) {
    return with(task, tasks.get(task).to(phase, at));
  }

  Progress fault(int task, String reason, String message) {
    return with(task, tasks.get(task).because(new Fault(reason, message)));
  }

  Progress with(int place, TaskProgress task) {
    var all = new ArrayList<>(tasks);
    all.set(place, task);
    return new Progress(planned, all, pending, superseded, degraded, end);
  }

  Progress waits(long generation) {
    return new Progress(planned, tasks, Optional.of(generation), superseded, degraded, end);
  }

  Progress superseded(long edits) {
    return new Progress(planned, tasks, pending, edits, degraded, end);
  }

  Progress degraded(String order) {
    return new Progress(planned, tasks, pending, superseded, Optional.of(order), end);
  }

  Progress ends(ChangeOutcome outcome, String reason, String message) {
    return new Progress(
        planned,
        tasks,
        pending,
        superseded,
        degraded,
        Optional.of(new End(outcome, NOW, reason, message)));
  }

  ChangeProgress facts() {
    return facts(new ChangeRef("shop", "cache", "app-uid", 7, "run-7"));
  }

  ChangeProgress facts(ChangeRef change) {
    return new ChangeProgress(
        change,
        START,
        planned,
        tasks,
        pending.map(generation -> new PendingEdit(generation, NOW)),
        Hold.NONE,
        new Notes(superseded, degraded, List.of()),
        end);
  }

  public AppStatus status(App app) {
    return AppStatusFactory.of(app, facts(), NOW);
  }

  public static App app(AppStatus status) {
    var app = new App();
    app.getMetadata().setName("cache");
    app.getMetadata().setNamespace("shop");
    app.getMetadata().setUid("app-uid");
    app.getMetadata().setGeneration(7L);
    app.setStatus(status);
    return app;
  }

  private static ChangeTask task(String component, int stage) {
    return new ChangeTask(
        "7-versionupgrade-" + component,
        ChangeType.VERSION_UPGRADE,
        component,
        "runtime redis 7.0 → 7.2 on " + component,
        stage,
        true,
        false,
        new TaskPolicy(Duration.ofMinutes(10), 3, Duration.ofSeconds(1)));
  }
}
