package io.middleware.engine.activities.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.middleware.engine.activities.apiserver.ApiServer;
import io.middleware.engine.activities.apiserver.TestCluster;
import io.middleware.engine.activities.apiserver.TestEngine;
import io.middleware.engine.activities.status.KubernetesStatusActivities;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.Operation;
import io.middleware.engine.api.OperationSpec;
import io.middleware.engine.api.OperationTarget;
import io.middleware.engine.api.task.ChangeOutcome;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.OperationAction;
import io.middleware.engine.api.task.TaskPhase;
import io.middleware.engine.workflows.port.ChangeProgress;
import io.middleware.engine.workflows.port.ChangeProgress.End;
import io.middleware.engine.workflows.port.ChangeProgress.Hold;
import io.middleware.engine.workflows.port.ChangeProgress.Notes;
import io.middleware.engine.workflows.port.ChangeProgress.PendingEdit;
import io.middleware.engine.workflows.port.ChangeRef;
import io.middleware.engine.workflows.port.OperationRef;
import io.middleware.engine.workflows.port.PlanAnswer;
import io.middleware.engine.workflows.port.PlanAnswer.NotBegun;
import io.middleware.engine.workflows.port.PlanAnswer.Planned;
import io.middleware.engine.workflows.port.PlanAnswer.Rejected;
import io.middleware.engine.workflows.port.PlanRequest;
import io.middleware.engine.workflows.port.TaskProgress;
import io.middleware.engine.workflows.port.TaskRef;
import io.temporal.failure.ApplicationFailure;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** An Operation by run {@code run-2} on an App that run {@code run-1} has deployed. */
@ExtendWith(ApiServer.class)
class OperationPlanningIT {
  private final TestCluster cluster;
  private final TestEngine engine;
  private final KubernetesPlanningActivities planning;
  private App app;

  OperationPlanningIT(TestCluster cluster) {
    this.cluster = cluster;
    engine = new TestEngine(cluster);
    planning = Fixtures.planning(engine);
  }

  @BeforeEach
  void deploy() {
    cluster.createPlugin();
    app = cluster.createApp();
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

  @Test
  void shouldBeginOnWhatIsDeployed() {
    // Given
    var change = restart(null);
    // When
    var plan = ((Planned) plan(change)).plan();
    // Then
    assertThat(plan.tasks())
        .isNotEmpty()
        .allSatisfy(
            task -> {
              assertThat(task.type()).isEqualTo(ChangeType.RESTART);
              assertThat(task.id()).endsWith("-" + OperationRef.shortUid(uid(change)));
            });
    assertThat(cluster.now(app).getStatus().operation().runId()).isEqualTo("run-2");
    assertThat(cluster.now(app).getStatus().change().outcome()).isEqualTo("Succeeded");
    assertThat(now(change).getStatus().phase()).isEqualTo("InProgress");
    // and a repeat is the same
    assertThat(((Planned) plan(change)).plan()).isEqualTo(plan);
  }

  @Test
  void shouldMarkTheTargetedGroupsInTheComponent() {
    // Given
    var component = component();
    var group = component.getSpec().groups().getFirst().name();
    var change = restart(new OperationTarget(component.getSpec().component(), List.of(group)));
    var task = ((Planned) plan(change)).plan().tasks().getFirst();
    // When
    var opened =
        engine
            .resources()
            .openComponent(new TaskRef(change, task.id(), task.type(), task.component()));
    // Then
    assertThat(opened.groups()).containsExactly(group);
    var spec = cluster.now(component).getSpec();
    assertThat(spec.restarts()).containsOnlyKeys(group).containsValue(uid(change));
    assertThat(ComponentSpecs.groupSpec(spec, group).restartedBy()).isEqualTo(uid(change));
  }

  @Test
  void shouldDoNothingTwice() {
    // Given
    var change = restart(null);
    var plan = ((Planned) plan(change)).plan();
    var done =
        TaskProgress.of(plan.tasks().getFirst())
            .to(TaskPhase.IN_PROGRESS, Instant.EPOCH)
            .to(TaskPhase.DONE, Instant.EPOCH);
    reports(progress(change, List.of(done), Optional.empty(), Optional.empty()));
    // When the run was terminated, and another one goes on
    engine.openRun = "run-3";
    var again = (Planned) plan(of(change, "run-3"));
    // Then
    assertThat(again.earlier()).extracting(it -> it.task().id()).containsExactly(done.task().id());
    assertThat(again.plan().tasks()).hasSize(plan.tasks().size() - 1);
    assertThatThrownBy(() -> engine.fence.check(change)).isInstanceOf(ApplicationFailure.class);
  }

  @Test
  void shouldReleaseTheAppAtItsEndAndNeverBeginAgain() {
    // Given
    var change = restart(null);
    plan(change);
    // When
    reports(ended(change));
    // Then
    assertThat(cluster.now(app).getStatus().operation()).isNull();
    assertThat(now(change).getStatus().phase()).isEqualTo("Succeeded");
    assertThatThrownBy(() -> engine.fence.check(change)).hasMessageContaining("has ended");
    assertThat(plan(change))
        .isEqualTo(
            new NotBegun(
                "Operation restart-1 (Restart) does not begin: it has ended already: Succeeded"));
  }

  @Test
  void shouldShowTheEditThatWaitsForIt() {
    // Given
    var change = restart(null);
    plan(change);
    // When
    reports(
        progress(
            change,
            List.of(),
            Optional.of(new PendingEdit(app.getMetadata().getGeneration() + 1, Instant.EPOCH)),
            Optional.empty()));
    // Then
    var status = cluster.now(app).getStatus();
    assertThat(status.pendingChange().generation()).isEqualTo(status.observedGeneration() + 1);
    assertThat(status.conditions())
        .filteredOn(it -> it.getType().equals("PendingChange"))
        .singleElement()
        .satisfies(it -> assertThat(it.getMessage()).contains("Operation restart-1"));
  }

  @Test
  void shouldMakeRoomForAnEdit() {
    // Given
    var change = restart(null);
    cluster.editApp(text -> text.replace("7.0", "7.2"));
    // When Then
    assertThat(plan(change)).isInstanceOf(NotBegun.class);
    assertThat(cluster.now(app).getStatus().operation()).isNull();
    assertThat(now(change).getStatus()).isNull();
  }

  @Test
  void shouldNameWhatTheTargetCanBe() {
    // Given
    var change = restart(new OperationTarget("nothing", null));
    // When Then
    assertThat(plan(change))
        .isInstanceOfSatisfying(
            Rejected.class,
            rejected -> {
              assertThat(rejected.reason()).isEqualTo("OperationRefused");
              assertThat(rejected.message())
                  .startsWith(
                      "spec.target.component: App cache has no component nothing; there are: ");
            });
  }

  private PlanAnswer plan(ChangeRef change) {
    return planning.plan(new PlanRequest(change, Optional.empty()));
  }

  private ChangeRef restart(OperationTarget target) {
    var operation = new Operation();
    operation.setMetadata(
        new ObjectMetaBuilder().withNamespace(cluster.namespace()).withName("restart-1").build());
    operation.setSpec(
        new OperationSpec(
            app.getMetadata().getName(),
            OperationAction.RESTART,
            target,
            null,
            null,
            null,
            60,
            false));
    var uid = cluster.create(operation).getMetadata().getUid();
    return cluster
        .change(cluster.now(app), "run-2")
        .of(Optional.of(new OperationRef("restart-1", uid, OperationAction.RESTART)));
  }

  private static ChangeRef of(ChangeRef change, String run) {
    return new ChangeRef(change.namespace(), change.app(), change.uid(), change.generation(), run)
        .of(change.operation());
  }

  private static String uid(ChangeRef change) {
    return change.operation().orElseThrow().uid();
  }

  private Operation now(ChangeRef change) {
    return cluster.named(Operation.class, change.operation().orElseThrow().name()).get();
  }

  private Component component() {
    return cluster
        .client()
        .resources(Component.class)
        .inNamespace(cluster.namespace())
        .list()
        .getItems()
        .getFirst();
  }

  private void reports(ChangeProgress progress) {
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

  private static ChangeProgress ended(ChangeRef change) {
    return progress(
        change,
        List.of(),
        Optional.empty(),
        Optional.of(new End(ChangeOutcome.SUCCEEDED, Instant.EPOCH, "", "")));
  }

  private static ChangeProgress progress(
      ChangeRef change,
      List<TaskProgress> tasks,
      Optional<PendingEdit> pending,
      Optional<End> end) {
    return new ChangeProgress(
        change, Instant.EPOCH, true, tasks, pending, Hold.NONE, Notes.NONE, end);
  }
}
