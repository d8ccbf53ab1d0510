package io.middleware.engine.planning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.middleware.engine.api.operation.OperationTarget;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.workflows.port.ChangeRef;
import io.middleware.engine.workflows.port.PlanAnswer.NotBegun;
import io.middleware.engine.workflows.port.PlanAnswer.Planned;
import io.middleware.engine.workflows.port.PlanAnswer.Rejected;
import io.middleware.engine.workflows.port.TaskRef;
import io.temporal.failure.ApplicationFailure;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** An Operation that excludes nothing locks only itself. */
@ExtendWith(ApiServer.class)
class SharedOperationLockIT {
  private static final String TYPES = "  componentTypes:\n  - name: redis\n";
  private static final String WITH_ACTIONS =
      "  agent: {port: 9090}\n"
          + TYPES
          + "    actions: [{name: report, exclusive: false}, {name: flush}]\n";

  private final OperationScene scene;

  SharedOperationLockIT(LocalNamespace cluster) {
    scene = new OperationScene(cluster, plugin -> plugin.replace(TYPES, WITH_ACTIONS));
  }

  @Test
  void shouldBeginDuringAChangeAndLeaveItAlone() {
    // Given
    var upgrade = scene.upgrading();
    var component = scene.component();
    var report = report(null);
    // When
    var plan = ((Planned) scene.plan(report)).plan();
    // Then
    assertThat(plan.tasks())
        .singleElement()
        .satisfies(task -> assertThat(task.type()).isEqualTo(ChangeType.ACTION));
    var status = scene.now(report).getStatus();
    assertThat(status.phase()).isEqualTo("InProgress");
    assertThat(status.workflowId()).isEqualTo("op/%s/report-1".formatted(report.namespace()));
    assertThat(status.runId()).isEqualTo("run-2");
    assertThat(scene.cluster.now(scene.app).getStatus().operation()).isNull();
    // and its task writes nothing
    var task = plan.tasks().getFirst();
    var ref = new TaskRef(report, task.id(), task.type(), task.component());
    assertThat(scene.engine.resources().openComponent(ref).groups()).containsExactly("g");
    assertThat(scene.component()).isEqualTo(component);
    assertThat(scene.engine.fence.check(upgrade)).isNotNull();
    assertThatThrownBy(() -> scene.engine.fence.check(report)).as("to write").isNotNull();
  }

  @Test
  void shouldShowItsEndAndChangeNothingInItsApp() {
    // Given
    scene.upgrading();
    var before = scene.cluster.now(scene.app).getStatus();
    var report = report(null);
    scene.plan(report);
    // When
    scene.reports(OperationScene.ended(report));
    // Then
    assertThat(scene.now(report).getStatus().phase()).isEqualTo("Succeeded");
    assertThat(scene.cluster.now(scene.app).getStatus()).isEqualTo(before);
    assertThat(scene.cluster.events())
        .filteredOn(event -> event.getReason().equals("OperationSucceeded"))
        .extracting(Event::getRegarding)
        .extracting(it -> it.getKind())
        .containsExactlyInAnyOrder("App", "Operation");
    // and it never begins again
    assertThat(scene.plan(report))
        .isEqualTo(
            new NotBegun(
                "Operation report-1 (report) does not begin: it has ended already: Succeeded"));
  }

  @Test
  void shouldBeTakenOverByAnotherRunOfIt() {
    // Given
    var first = report(null);
    scene.plan(first);
    assertThat(scene.engine.gate.check(first)).isNotNull();
    // When
    scene.engine.openRun = "run-5";
    var second = OperationScene.of(first, "run-5");
    scene.plan(second);
    // Then
    assertThat(scene.engine.gate.check(second)).isNotNull();
    assertSuperseded(
        () -> scene.engine.gate.check(first),
        "Operation report-1 (report): it is carried out by run run-5, not by run run-2; no further pod is touched");
    // and by one that a reset has created, which plans nothing
    scene.engine.openRun = "run-6";
    assertThat(scene.engine.gate.check(OperationScene.of(first, "run-6"))).isNotNull();
    assertThat(scene.now(first).getStatus().runId()).isEqualTo("run-6");
  }

  /** It changes nothing, so it goes on. */
  @Test
  void shouldNotWaitForTheEndOfAPause() {
    // Given
    scene.cluster.editApp(text -> text.replace("spec:\n", "spec:\n  paused: true\n"));
    var report = report(null);
    // When Then
    assertThat(((Planned) scene.plan(report)).plan().paused()).isFalse();
    assertThat(scene.engine.gate.pass(report).isPaused()).isTrue();
  }

  @Test
  void shouldEndWithItsApp() {
    // Given
    var report = report(null);
    scene.plan(report);
    // When
    scene.cluster.client().resource(scene.cluster.now(scene.app)).delete();
    scene.cluster.await().until(() -> scene.cluster.now(scene.app) == null);
    // Then
    assertSuperseded(
        () -> scene.engine.gate.check(report),
        "Operation report-1 (report): the App is gone; no further pod is touched");
    assertThat(scene.plan(report))
        .isEqualTo(new NotBegun("Operation report-1 (report) does not begin: the App is gone"));
  }

  @Test
  void shouldNotRefuseForGoodWhatAChangeMayBring() {
    // Given
    var report = report(new OperationTarget("later", null));
    scene.upgrading();
    // When Then
    assertThatThrownBy(() -> scene.plan(report))
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            failure -> {
              assertThat(failure.getType()).isEqualTo(FaultKind.UNAVAILABLE.label());
              assertThat(failure.getOriginalMessage())
                  .contains("has no component later")
                  .endsWith("; a change of the App is under way");
            });
  }

  @Test
  void shouldRefuseForGoodWithoutAChange() {
    assertThat(scene.plan(report(new OperationTarget("later", null)))).isInstanceOf(Rejected.class);
  }

  /** The Plugin was edited after the run was started. */
  @Test
  void shouldRefuseAnActionThatIsExclusiveByNow() {
    assertThat(scene.plan(scene.shared("flush-1", "flush", null)))
        .isInstanceOfSatisfying(
            Rejected.class,
            rejected ->
                assertThat(rejected.message())
                    .isEqualTo(
                        "spec.action: flush of Plugin redis 1.0.0 is exclusive by now: create another Operation"));
  }

  private ChangeRef report(OperationTarget target) {
    return scene.shared("report-1", "report", target);
  }

  private static void assertSuperseded(ThrowingCallable step, String message) {
    assertThatThrownBy(step)
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            failure -> {
              assertThat(failure.getType()).isEqualTo(FaultKind.SUPERSEDED.label());
              assertThat(failure.getOriginalMessage()).isEqualTo(message);
            });
  }
}
