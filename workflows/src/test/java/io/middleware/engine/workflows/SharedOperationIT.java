package io.middleware.engine.workflows;

import static io.middleware.engine.workflows.Plans.fails;
import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.task.ChangeOutcome;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.api.task.OperationAction;
import io.middleware.engine.workflows.component.GroupChangeWorkflowImpl;
import io.middleware.engine.workflows.history.ReplayIT;
import io.middleware.engine.workflows.port.OperationRef;
import io.middleware.engine.workflows.port.PlanAnswer.Planned;
import io.middleware.engine.workflows.request.OperationRequest;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import io.temporal.common.WorkflowExecutionHistory;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An Operation that excludes nothing takes the usual steps, in a workflow of its own. */
class SharedOperationIT {
  private static final String OWN = "op/shop/report-1";

  @RegisterExtension final ChangeEnvironment env = ChangeEnvironment.withApp(false);
  private final FakeCluster cluster = env.cluster;

  @BeforeEach
  void planActions() {
    cluster.planner =
        change ->
            change.operation().isPresent()
                ? Plans.inTurn(change.generation(), ChangeType.ACTION, "nodes")
                : new Planned(Plans.nothing(change.generation()));
  }

  @Test
  void shouldRunBesideAChange() {
    // Given
    env.during(
        "run action nodes/shard-0",
        () -> {
          env.change(8);
          env.result();
        });
    // When
    report("report-1");
    // Then
    assertThat(env.result(OWN)).isEqualTo("Succeeded");
    assertThat(cluster.operations)
        .containsExactly(
            "plan report-1",
            "open 7-action-nodes",
            "run action nodes/shard-0",
            "plan 8",
            "run action nodes/shard-1");
    assertThat(cluster.lastReport().change().workflowId()).isEqualTo(OWN);
  }

  @Test
  void shouldRunBesideAnotherOne() {
    // Given
    env.during(
        "run action nodes/shard-0",
        () -> {
          report("report-2");
          env.result("op/shop/report-2");
        });
    // When
    report("report-1");
    // Then
    assertThat(env.result(OWN)).isEqualTo("Succeeded");
    assertThat(cluster.ends()).containsExactly("7 Succeeded", "7 Succeeded");
  }

  @Test
  void shouldFailWithTheAction() {
    // Given
    cluster.fault =
        operation ->
            operation.equals("run action nodes/shard-0")
                ? fails(FaultKind.ACTION_FAILED, "code 3")
                : null;
    // When
    report("report-1");
    // Then
    assertThat(env.result(OWN)).startsWith("Failed").contains("code 3");
    assertThat(cluster.operations).doesNotContain("run action nodes/shard-1");
  }

  @Test
  void shouldTryAgainWhatMayPass() {
    // Given
    var tries = new AtomicInteger();
    cluster.planner =
        change -> Plans.hurried(Plans.inTurn(change.generation(), ChangeType.ACTION, "sentinel"));
    cluster.fault =
        operation ->
            operation.startsWith("run action") && tries.incrementAndGet() == 1
                ? fails(FaultKind.AGENTS_UNAVAILABLE, "no agent answers")
                : null;
    // When
    report("report-1");
    // Then
    assertThat(env.result(OWN)).isEqualTo("Succeeded");
    assertThat(env.task("7-action-sentinel").attempts()).isEqualTo(2);
  }

  @Test
  void shouldEndAsCancelled() {
    // Given
    env.whenHangingAt(
        "run action nodes/shard-0", () -> env.client().newUntypedWorkflowStub(OWN).cancel());
    // When
    report("report-1");
    // Then
    assertThat(env.result(OWN)).startsWith("Cancelled: cancelled by request");
    assertThat(cluster.lastReport().end().orElseThrow().outcome())
        .isEqualTo(ChangeOutcome.CANCELLED);
    assertThat(cluster.operations).doesNotContain("run action nodes/shard-1");
    assertThat(env.client().newUntypedWorkflowStub(OWN).describe().getStatus())
        .isEqualTo(WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_CANCELED);
  }

  /** Its steps would carry out what another id excludes. */
  @Test
  void shouldRefuseAnExclusiveOperationUnderAForeignId() {
    // Given
    var other = "app/shop/other";
    // When
    env.start(
        other,
        "AppChangeWorkflow",
        ChangeEnvironment.request(7)
            .of(new OperationRequest(ChangeEnvironment.operation("restart-1"))));
    // Then
    assertThat(env.result(other))
        .isEqualTo(
            "workflow app/shop/other was started without the Operation of its id; create an Operation instead");
    assertThat(cluster.operations).isEmpty();
  }

  @Test
  void shouldEndWithItsApp() {
    // Given
    cluster.fault =
        operation ->
            operation.startsWith("run action")
                ? fails(FaultKind.SUPERSEDED, "the App is being deleted")
                : null;
    // When
    report("report-1");
    // Then
    assertThat(env.result(OWN)).startsWith("Superseded").endsWith("the App is being deleted");
  }

  @Test
  void shouldHaveAWorkflowForEachGroupOfManyPods() {
    // Given
    cluster.planner =
        Plans.apart(change -> Plans.inTurn(change.generation(), ChangeType.ACTION, "nodes"));
    // When
    report("report-1");
    // Then
    assertThat(env.result(OWN)).isEqualTo("Succeeded");
    var child = env.client().newUntypedWorkflowStub(OWN + "/7/7-action-nodes/shard-1");
    assertThat(child.describe().getStatus())
        .isEqualTo(WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_COMPLETED);
  }

  @Test
  void shouldDecideTheSameAgain() throws Exception {
    // Given
    cluster.planner =
        change -> Plans.inTurn(change.generation(), ChangeType.ACTION, "sentinel", "nodes");
    report("report-1");
    env.result(OWN);
    // When
    var history = env.client().fetchHistory(OWN).toJson(false);
    // Then
    ReplayIT.replay(WorkflowExecutionHistory.fromJson(history, OWN), GroupChangeWorkflowImpl.class);
  }

  @Test
  void shouldRefuseAnotherOperationThanItsOwn() {
    // When
    env.start("op/shop/report-2", "OperationWorkflow", request("report-1"));
    // Then
    assertThat(env.result("op/shop/report-2"))
        .isEqualTo(
            "workflow op/shop/report-2 was started without the Operation of its id; create an Operation instead");
    assertThat(cluster.operations).isEmpty();
  }

  private void report(String name) {
    env.start("op/shop/" + name, "OperationWorkflow", request(name));
  }

  private static Object request(String name) {
    return ChangeEnvironment.request(7)
        .of(
            new OperationRequest(
                new OperationRef(name, "uid-of-" + name, OperationAction.PLUGIN, "report", true)));
  }
}
