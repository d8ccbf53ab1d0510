package io.middleware.engine.planning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.middleware.engine.api.operation.OperationTarget;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.TaskPhase;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.planning.app.ComponentSpecs;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.OperationRef;
import io.middleware.engine.workflows.port.PlanAnswer.Planned;
import io.middleware.engine.workflows.port.PlanAnswer.Rejected;
import io.middleware.engine.workflows.port.TaskProgress;
import io.middleware.engine.workflows.port.TaskRef;
import io.temporal.failure.ApplicationFailure;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What an Operation consists of. */
@ExtendWith(ApiServer.class)
class OperationPlanningIT {
  private final OperationScene scene;

  OperationPlanningIT(LocalNamespace cluster) {
    scene = new OperationScene(cluster);
  }

  @Test
  void shouldBeginOnWhatIsDeployed() {
    // Given
    var change = scene.restart(null);
    // When
    var plan = ((Planned) scene.plan(change)).plan();
    // Then
    assertThat(plan.tasks())
        .isNotEmpty()
        .allSatisfy(
            task -> {
              assertThat(task.type()).isEqualTo(ChangeType.RESTART);
              assertThat(task.id()).endsWith("-" + OperationRef.shortUid(scene.uid(change)));
            });
    assertThat(scene.cluster.now(scene.app).getStatus().operation().runId()).isEqualTo("run-2");
    assertThat(scene.cluster.now(scene.app).getStatus().change().outcome()).isEqualTo("Succeeded");
    assertThat(scene.now(change).getStatus().phase()).isEqualTo("InProgress");
    // and a repeat is the same
    assertThat(((Planned) scene.plan(change)).plan()).isEqualTo(plan);
  }

  @Test
  void shouldMarkTheTargetedGroupsInTheComponent() {
    // Given
    var component = scene.component();
    var group = component.getSpec().groups().getFirst().name();
    var change =
        scene.restart(new OperationTarget(component.getSpec().component(), List.of(group)));
    var task = ((Planned) scene.plan(change)).plan().tasks().getFirst();
    // When
    var ref = new TaskRef(change, task.id(), task.type(), task.component());
    var resources = scene.engine.resources();
    var opened = resources.openComponent(ref);
    assertThat(scene.cluster.now(component).getSpec().restarts()).isNull();
    resources.applyGroup(new GroupRef(ref, group));
    // Then
    assertThat(opened.groups()).containsExactly(group);
    var spec = scene.cluster.now(component).getSpec();
    assertThat(spec.restarts()).containsOnlyKeys(group).containsValue(scene.uid(change));
    assertThat(ComponentSpecs.groupSpec(spec, group).restartedBy()).isEqualTo(scene.uid(change));
  }

  @Test
  void shouldDoNothingTwice() {
    // Given
    var change = scene.restart(null);
    var plan = ((Planned) scene.plan(change)).plan();
    var done =
        TaskProgress.of(plan.tasks().getFirst())
            .to(TaskPhase.IN_PROGRESS, Instant.EPOCH)
            .to(TaskPhase.DONE, Instant.EPOCH);
    scene.reports(scene.progress(change, List.of(done), Optional.empty(), Optional.empty()));
    // When the run was terminated, and another one goes on
    scene.engine.openRun = "run-3";
    var again = (Planned) scene.plan(scene.of(change, "run-3"));
    // Then
    assertThat(again.earlier()).extracting(it -> it.task().id()).containsExactly(done.task().id());
    assertThat(again.plan().tasks()).hasSize(plan.tasks().size() - 1);
    assertThatThrownBy(() -> scene.engine.fence.check(change))
        .isInstanceOf(ApplicationFailure.class);
  }

  @Test
  void shouldNameWhatTheTargetCanBe() {
    // Given
    var change = scene.restart(new OperationTarget("nothing", null));
    // When Then
    assertThat(scene.plan(change))
        .isInstanceOfSatisfying(
            Rejected.class,
            rejected -> {
              assertThat(rejected.reason()).isEqualTo("OperationRefused");
              assertThat(rejected.message())
                  .startsWith(
                      "spec.target.component: App cache has no component nothing; there are: ");
            });
  }
}
