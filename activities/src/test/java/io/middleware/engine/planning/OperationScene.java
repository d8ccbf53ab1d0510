package io.middleware.engine.planning;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.middleware.engine.activities.apiserver.LocalEngine;
import io.middleware.engine.api.App;
import io.middleware.engine.api.AppStatus;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.RunningOperation;
import io.middleware.engine.api.operation.Operation;
import io.middleware.engine.api.operation.OperationSpec;
import io.middleware.engine.api.operation.OperationTarget;
import io.middleware.engine.api.task.ChangeOutcome;
import io.middleware.engine.api.task.OperationAction;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.cluster.status.AppStatusFactory;
import io.middleware.engine.cluster.status.KubernetesStatusActivities;
import io.middleware.engine.workflows.port.ChangeProgress;
import io.middleware.engine.workflows.port.ChangeProgress.End;
import io.middleware.engine.workflows.port.ChangeProgress.Hold;
import io.middleware.engine.workflows.port.ChangeProgress.Notes;
import io.middleware.engine.workflows.port.ChangeProgress.PendingEdit;
import io.middleware.engine.workflows.port.ChangeRef;
import io.middleware.engine.workflows.port.OperationRef;
import io.middleware.engine.workflows.port.PlanAnswer;
import io.middleware.engine.workflows.port.PlanAnswer.Planned;
import io.middleware.engine.workflows.port.PlanRequest;
import io.middleware.engine.workflows.port.TaskProgress;
import io.middleware.engine.workflows.port.TaskRef;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** An Operation by run {@code run-2} on an App that run {@code run-1} has deployed. */
final class OperationScene {
  final LocalNamespace cluster;
  final LocalEngine engine;
  final App app;
  private final KubernetesPlanningActivities planning;

  OperationScene(LocalNamespace cluster) {
    this(cluster, UnaryOperator.identity());
  }

  /**
   * @param plugin an edit of the Plugin's text
   */
  OperationScene(LocalNamespace cluster, UnaryOperator<String> plugin) {
    this(cluster, plugin, UnaryOperator.identity());
  }

  /**
   * @param edit of the App's text
   */
  OperationScene(LocalNamespace cluster, UnaryOperator<String> plugin, UnaryOperator<String> edit) {
    this.cluster = cluster;
    engine = new LocalEngine(cluster);
    planning = LocalPlanning.of(engine);
    cluster.createPlugin(plugin);
    app = cluster.createApp(edit);
    var change = cluster.change(app, "run-1");
    var plan = ((Planned) planning.plan(new PlanRequest(change, Optional.empty()))).plan();
    var resources = engine.resources();
    plan.tasks()
        .forEach(
            task -> {
              var ref = new TaskRef(change, task.id(), task.type(), task.component());
              resources.openComponent(ref);
              resources.settleComponent(ref);
            });
    reports(ended(change));
    engine.openRun = "run-2";
  }

  PlanAnswer plan(ChangeRef change) {
    return planning.plan(new PlanRequest(change, Optional.empty()));
  }

  ChangeRef restart(OperationTarget target) {
    return operation("restart-1", OperationAction.RESTART, target);
  }

  ChangeRef operation(String name, OperationAction action, OperationTarget target) {
    var operation = new Operation();
    operation.setMetadata(
        new ObjectMetaBuilder().withNamespace(cluster.namespace()).withName(name).build());
    operation.setSpec(
        new OperationSpec(
            app.getMetadata().getName(), action, target, null, null, null, 60, false));
    var uid = cluster.create(operation).getMetadata().getUid();
    return cluster
        .change(cluster.now(app), "run-2")
        .of(Optional.of(new OperationRef(name, uid, action)));
  }

  /** An action of the Plugin. */
  ChangeRef action(String spec) {
    var operation = new Operation();
    operation.setMetadata(new ObjectMetaBuilder().withName("action-1").build());
    operation.setSpec(Serialization.unmarshal("---\n" + spec, OperationSpec.class));
    var uid = cluster.create(operation).getMetadata().getUid();
    return cluster
        .change(cluster.now(app), "run-2")
        .of(Optional.of(new OperationRef("action-1", uid, OperationAction.PLUGIN)));
  }

  /** An action of the Plugin that excludes nothing, by a workflow of its own. */
  ChangeRef shared(String name, String action, OperationTarget target) {
    var operation = new Operation();
    operation.setMetadata(
        new ObjectMetaBuilder().withNamespace(cluster.namespace()).withName(name).build());
    operation.setSpec(
        new OperationSpec(
            app.getMetadata().getName(),
            action,
            target,
            null,
            null,
            null,
            null,
            null,
            null,
            60,
            false));
    var uid = cluster.create(operation).getMetadata().getUid();
    var ref = new OperationRef(name, uid, OperationAction.PLUGIN, action, true);
    return cluster.change(cluster.now(app), "run-2").of(Optional.of(ref));
  }

  /** The upgrade of the App by run {@code run-3}, half-way. */
  ChangeRef upgrading() {
    var edited = cluster.editApp(text -> text.replace("7.0", "7.2"));
    var change = cluster.change(edited, "run-3");
    engine.openRun = "run-3";
    var task = ((Planned) plan(change)).plan().tasks().getFirst();
    engine.resources().openComponent(new TaskRef(change, task.id(), task.type(), task.component()));
    engine.openRun = "run-2";
    return change;
  }

  static AppStatus withLock(App seen, ChangeRef change) {
    return AppStatusFactory.partOf(seen.getStatus())
        .withOperation(
            new RunningOperation("restart-1", uid(change), "Restart", "run-2", null, null));
  }

  static ChangeRef of(ChangeRef change, String run) {
    return new ChangeRef(change.namespace(), change.app(), change.uid(), change.generation(), run)
        .of(change.operation());
  }

  static String uid(ChangeRef change) {
    return change.operation().orElseThrow().uid();
  }

  Operation now(ChangeRef change) {
    return cluster.named(Operation.class, change.operation().orElseThrow().name()).get();
  }

  Component component() {
    return cluster
        .client()
        .resources(Component.class)
        .inNamespace(cluster.namespace())
        .list()
        .getItems()
        .getFirst();
  }

  void reports(ChangeProgress progress) {
    new KubernetesStatusActivities(
            cluster.client(),
            engine.status,
            cluster.view(),
            engine.runs,
            engine.transitions,
            engine.reports,
            Clock.systemUTC())
        .report(progress);
  }

  static ChangeProgress ended(ChangeRef change) {
    return progress(
        change,
        List.of(),
        Optional.empty(),
        Optional.of(new End(ChangeOutcome.SUCCEEDED, Instant.EPOCH, "", "")));
  }

  static ChangeProgress progress(
      ChangeRef change,
      List<TaskProgress> tasks,
      Optional<PendingEdit> pending,
      Optional<End> end) {
    return new ChangeProgress(
        change, Instant.EPOCH, true, tasks, pending, Hold.NONE, Notes.NONE, end);
  }
}
