package io.middleware.engine.e2e.change;

import static io.middleware.engine.e2e.HangingApp.NAME;
import static org.awaitility.Awaitility.await;

import io.middleware.engine.api.Labels;
import io.middleware.engine.api.change.TaskStatus;
import io.middleware.engine.e2e.AuditLog;
import io.middleware.engine.e2e.Cli;
import io.middleware.engine.e2e.Engine;
import io.middleware.engine.e2e.HangingApp;
import io.middleware.engine.e2e.Obstacles;
import io.middleware.engine.e2e.Shop;
import io.middleware.engine.e2e.Temporal;
import io.middleware.engine.e2e.Yaml;
import io.temporal.client.WorkflowStub;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** An upgrade in a namespace of its own: it is held at a moment, then something happens to it. */
final class LifeCell implements AutoCloseable {
  static final String SENTINEL = "2-versionupgrade-sentinel";
  private static final String REDIS = "versionupgrade-redis-nodes";

  /** Where a change can be. */
  enum Moment {
    PLANNING("all", 2),
    BETWEEN_TASKS(HangingApp.HANGING, 1),
    WAITING(HangingApp.HANGING, 2),
    RETRY_PAUSE("all", 2),
    ROLLBACK(HangingApp.HANGING, 2);

    private final String group;
    private final int replicas;

    Moment(String group, int replicas) {
      this.group = group;
      this.replicas = replicas;
    }
  }

  /** What can happen to it there. */
  enum Blow {
    CANCEL_ONE,
    CANCEL_CHANGE,
    NATIVE_CANCEL,
    CANCEL_CHILD,
    TIMEOUT,
    FAILURE,
    SUPERSEDE,
    OVERTAKE,
    DELETE,
    PAUSE
  }

  final Shop shop = new Shop();
  final Temporal temporal = new Temporal();
  final HangingApp app;
  private final Obstacles obstacles = new Obstacles(shop);
  private final Moment moment;
  private final Blow blow;
  private AuditLog change;
  private AuditLog after;

  LifeCell(Moment moment, Blow blow) {
    this.moment = moment;
    this.blow = blow;
    this.app = new HangingApp(shop, moment.group, moment.replicas);
  }

  /** Begins the upgrade and waits until it is at the moment of the blow. */
  LifeCell brought() {
    app.deployed();
    change = AuditLog.fromNow();
    switch (moment) {
      case PLANNING -> {
        obstacles.holdPlanning();
        app.upgrade(settings());
        shop.awaitApp(NAME, a -> is(a, "Stalled"));
      }
      case BETWEEN_TASKS -> {
        app.upgrade(settings());
        app.awaitHanging();
        pause();
        app.release();
        shop.awaitTask(NAME, SENTINEL, "Done");
      }
      case WAITING -> {
        app.upgrade(settings());
        app.awaitHanging();
      }
      case RETRY_PAUSE -> {
        obstacles.own(app.workload());
        app.upgrade(settings());
        shop.awaitTask(NAME, SENTINEL, "RetryPending");
      }
      case ROLLBACK -> {
        app.upgrade(settings());
        app.awaitHanging();
        obstacles.allowNoPods();
        root().update("cancelChange", String.class);
        awaitRestarts(2);
      }
    }
    return this;
  }

  private String settings() {
    return switch (blow) {
      case TIMEOUT -> "retryBackoff: 60s, timeouts: {VersionUpgrade: 45s}";
      case FAILURE -> "retryBackoff: 3s, maxRetries: 2";
      case PAUSE -> "retryBackoff: 15s, maxRetries: 2";
      default -> "retryBackoff: 60s";
    };
  }

  /** Lets it happen, and records what the engine does from its acknowledgement on. */
  LifeCell hit() {
    switch (blow) {
      case CANCEL_ONE -> cancelOne();
      case CANCEL_CHANGE -> {
        shop.annotate(NAME, Labels.CANCEL_CONTROL, "{}");
        shop.awaitApp(
            NAME, a -> !annotations(a.getMetadata().getAnnotations()).contains("cancel-control"));
      }
      case NATIVE_CANCEL -> Cli.TEMPORAL.workflow(victim(), "cancel");
      case CANCEL_CHILD -> Cli.TCTL.workflow(victim(), "cancel");
      case TIMEOUT -> {}
      case FAILURE -> fail();
      case SUPERSEDE -> shop.apply(app.fixed("onNewChange: Supersede"));
      case OVERTAKE -> overtake();
      case DELETE -> shop.kubectl("", "delete", "app", NAME, "-n", shop.namespace, "--wait=false");
      case PAUSE -> pause();
    }
    after = AuditLog.fromNow();
    return this;
  }

  private void cancelOne() {
    var id =
        switch (moment) {
          case BETWEEN_TASKS -> shop.status(NAME).change().generation() + "-" + REDIS;
          default -> SENTINEL;
        };
    root().update("cancelTasks", String.class, Map.of("cancelTaskIds", List.of(id)));
  }

  private void fail() {
    switch (moment) {
      case PLANNING -> obstacles.takeRights();
      case WAITING, ROLLBACK ->
          temporal.client.newUntypedWorkflowStub(victim()).terminate("end-to-end test");
      case RETRY_PAUSE, BETWEEN_TASKS -> {} // the next attempt fails as well
    }
  }

  /** The workflow that an operator cancels or terminates with Temporal's own tools. */
  private String victim() {
    var task = id() + "/2/" + SENTINEL;
    if (moment == Moment.ROLLBACK) {
      return task + "/rollback";
    }
    return blow == Blow.NATIVE_CANCEL ? id() : task;
  }

  /** A correction waits for the change, which is cancelled as the status advises. */
  private void overtake() {
    shop.apply(app.fixed("onNewChange: Wait"));
    var waiting = shop.awaitApp(NAME, a -> Shop.condition(a, "PendingChange").isPresent());
    var message = Shop.condition(waiting, "PendingChange").orElseThrow().getMessage();
    Engine.run(List.of("sh", "-c", message.substring(message.indexOf("kubectl annotate"))));
  }

  WorkflowStub root() {
    return temporal.client.newUntypedWorkflowStub(id());
  }

  private String id() {
    return "app/%s/%s".formatted(shop.namespace, NAME);
  }

  void pause() {
    shop.apply(paused(app.yaml("7.2", settings())));
    shop.awaitApp(NAME, a -> is(a, "Paused"));
  }

  /** A cancel leaves the edit that paused, which begins anew and holds: it is hit as well. */
  LifeCell hitAgain() {
    shop.awaitApp(
        NAME,
        a ->
            a.getStatus().change().generation() == 3
                && a.getStatus().tasks() != null
                && a.getStatus().tasks().size() == 1);
    return hit();
  }

  /** Removes the obstacle. */
  LifeCell released() {
    if (moment == Moment.ROLLBACK && blow == Blow.SUPERSEDE) {
      await("the newer edit at work")
          .atMost(Shop.PATIENCE)
          .until(() -> obstacles.isFixed(app.workload()));
    }
    obstacles.remove(app.workload());
    if (blow == Blow.PAUSE) {
      app.release();
    }
    if (blow == Blow.PAUSE && moment == Moment.PLANNING) {
      shop.awaitTask(NAME, "3-versionupgrade-sentinel", "Pending");
    }
    return this;
  }

  /** Where the upgrade would hang again, the correction takes its place first. */
  void resume() {
    if (moment == Moment.WAITING || moment == Moment.ROLLBACK) {
      var fixed = app.fixed("onNewChange: Supersede");
      shop.apply(paused(fixed));
      shop.awaitApp(NAME, a -> a.getStatus().change().generation() == 4);
      shop.apply(fixed);
    } else {
      app.upgrade(settings());
    }
  }

  private static Yaml paused(Yaml yaml) {
    return yaml.replace("paused: false", "paused: true");
  }

  private void awaitRestarts(int count) {
    await(count + " restarts")
        .atMost(Shop.PATIENCE)
        .until(() -> change.restarts(shop.namespace).size() >= count);
  }

  /** All pods that were taken away since the upgrade began. */
  List<String> restarts() {
    return change.restarts(shop.namespace);
  }

  /** What was written to workloads and pods after the acknowledgement. */
  List<String> written() {
    return after.writes(shop.namespace).stream()
        .filter(w -> w.resource().startsWith("pods") || w.resource().equals("statefulsets"))
        .map(AuditLog.Entry::name)
        .toList();
  }

  List<TaskStatus> tasks() {
    return Optional.ofNullable(shop.status(NAME).tasks()).orElse(List.of());
  }

  Optional<TaskStatus> task(String component) {
    return tasks().stream().filter(task -> task.component().equals(component)).findFirst();
  }

  private static boolean is(io.middleware.engine.api.App app, String condition) {
    return Shop.condition(app, condition).filter(c -> c.getStatus().equals("True")).isPresent();
  }

  private static String annotations(Map<String, String> annotations) {
    return annotations == null ? "" : annotations.keySet().toString();
  }

  @Override
  public void close() {
    obstacles.remove(app.workload());
    shop.close();
    temporal.close();
  }
}
