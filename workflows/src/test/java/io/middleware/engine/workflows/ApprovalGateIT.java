package io.middleware.engine.workflows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.TaskPhase;
import io.middleware.engine.workflows.port.PlanAnswer.Planned;
import io.middleware.engine.workflows.port.PlanAnswer.Rejected;
import io.middleware.engine.workflows.request.RetryRequest;
import io.temporal.client.WorkflowUpdateException;
import io.temporal.failure.ApplicationFailure;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A plan that needs approval begins only when exactly this plan is approved. */
class ApprovalGateIT {
  private static final String HASH = "c0ffee00";
  private static final String OTHER = "decade00";

  @RegisterExtension final ChangeEnvironment env = ChangeEnvironment.withApp(false);
  private final FakeCluster cluster = env.cluster;

  @BeforeEach
  void start() {
    cluster.planner =
        change -> {
          var answer = (Planned) Plans.inTurn(change.generation(), ChangeType.CONFIG, "nodes");
          return change.generation() == 7
              ? new Planned(answer.plan().awaiting(HASH))
              : new Planned(Plans.nothing(change.generation()));
        };
  }

  @Test
  void shouldBeginWhenApproved() throws InterruptedException {
    // Given
    env.change(7);
    awaitApproval();
    // When
    var other = env.refusal("approve", "deadbeef");
    var junk = env.refusal("approve", 12);
    var answer = env.update("approve", HASH);
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    assertThat(other)
        .isEqualTo(
            "the plan that waits for approval is c0ffee00 (generation 7), not this one: see status.plan");
    assertThat(junk).isEqualTo("cannot read 12; expected \"<hash>\"");
    assertThat(answer).isEqualTo("approval of plan c0ffee00 accepted");
    assertThat(env.phases()).containsExactly(TaskPhase.DONE);
    assertThat(cluster.lastReport().hold().approval()).isEmpty();
  }

  @Test
  void shouldShowAChangedPlanAgainUntilItIsApproved() throws InterruptedException {
    // Given
    env.change(7);
    awaitApproval();
    plans(OTHER, "nodes");
    // When
    env.update("approve", HASH);
    // Then
    awaitApproval(OTHER);
    assertThat(env.refusal("approve", HASH))
        .isEqualTo(
            "the plan that waits for approval is decade00 (generation 7), not this one: see status.plan");
    assertThat(cluster.operations).doesNotContain("open 7-config-nodes");
    assertThat(cluster.lastReport().notes().requests().getLast())
        .endsWith("plan c0ffee00 is out of date");
    // When
    env.update("approve", OTHER);
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    assertThat(cluster.lastReport().hold().approval()).isEmpty();
  }

  @Test
  void shouldBeginANewerEditThatNeedsNoApproval() throws InterruptedException {
    // Given
    env.change(7);
    awaitApproval();
    cluster.planner = change -> Plans.inTurn(8, ChangeType.CONFIG, "nodes");
    // When
    env.update("approve", HASH);
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    assertThat(cluster.ends()).containsExactly("8 Succeeded");
    assertThat(cluster.reports)
        .noneMatch(r -> r.change().generation() == 8 && r.hold().approval().isPresent());
  }

  @Test
  void shouldKeepTasksCancelledWhenTheyArePlannedAgain() throws InterruptedException {
    // Given
    plans(HASH, "sentinel", "nodes");
    env.change(7);
    awaitApproval();
    env.update("cancelTasks", ChangeEnvironment.cancel("7-config-nodes"));
    plans(OTHER, "sentinel", "nodes");
    // When
    env.update("approve", HASH);
    awaitApproval(OTHER);
    env.update("approve", OTHER);
    // Then
    assertThat(env.result()).startsWith("Cancelled: ");
    assertThat(env.phases()).containsExactly(TaskPhase.DONE, TaskPhase.CANCELLED);
  }

  @Test
  void shouldEndWhenTheApprovedPlanIsNoLongerValid() throws InterruptedException {
    // Given
    env.change(7);
    awaitApproval();
    cluster.planner = change -> new Rejected(7, "TemplateError", "no such variable");
    // When
    env.update("approve", HASH);
    // Then
    assertThat(env.result()).isEqualTo("Rejected: no such variable");
    assertThat(cluster.lastReport().hold().approval()).isEmpty();
    assertThat(cluster.lastReport().tasks()).isEmpty();
  }

  @Test
  void shouldEndWhenItIsCancelledWhileItIsPlannedAgain() throws InterruptedException {
    // Given
    env.change(7);
    awaitApproval();
    env.whenHangingAt("plan 7", () -> env.update("cancelChange"));
    // When
    env.update("approve", HASH);
    // Then
    assertThat(env.result()).startsWith("Cancelled: cancelled by request");
    assertThat(cluster.lastReport().hold().approval()).isEmpty();
    assertThat(cluster.operations).doesNotContain("open 7-config-nodes");
  }

  @Test
  void shouldAcceptASignalFromClientsWithoutUpdates() throws InterruptedException {
    // Given
    env.change(7);
    awaitApproval();
    // When
    env.open().signal("approve", HASH);
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
  }

  @Test
  void shouldPlanANewerEditInstead() throws InterruptedException {
    // Given
    env.change(7);
    awaitApproval();
    // When
    env.change(8);
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    assertThat(cluster.ends())
        .containsExactly(
            "7 Superseded: a newer edit continues from the current state; 7-config-nodes Cancelled",
            "8 Succeeded");
    assertThat(cluster.operations).doesNotContain("open 7-config-nodes");
  }

  /** Temporal's database was restored, and the plan has been carried out since. */
  @Test
  void shouldPlanAnewWhenItsOwnGenerationIsRequestedAgain() throws InterruptedException {
    // Given
    env.change(7);
    awaitApproval();
    cluster.planner = change -> new Planned(Plans.nothing(change.generation()));
    // When
    env.change(ChangeEnvironment.request(7).again(RetryRequest.all()));
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    assertThat(cluster.operations).doesNotContain("open 7-config-nodes");
  }

  @Test
  void shouldEndWhenItIsCancelledInstead() throws InterruptedException {
    // Given
    env.change(7);
    awaitApproval();
    // When
    env.update("cancelChange");
    // Then
    assertThat(env.result()).startsWith("Cancelled: cancelled by request");
    assertThat(cluster.operations).doesNotContain("open 7-config-nodes");
  }

  @Test
  void shouldEndWhenTheRunIsCancelledNatively() throws InterruptedException {
    // Given
    env.change(7);
    awaitApproval();
    // When
    env.cancelNatively("");
    // Then
    assertThat(env.result()).startsWith("Cancelled: cancelled by request");
    assertThat(cluster.ends().getFirst()).startsWith("7 Cancelled: cancelled by request");
  }

  @Test
  void shouldEndWhenAllItsTasksAreCancelled() throws InterruptedException {
    // Given
    env.change(7);
    awaitApproval();
    // When
    env.update("cancelTasks", ChangeEnvironment.cancel("7-config-nodes"));
    // Then
    assertThat(env.result()).startsWith("Cancelled: ");
  }

  @Test
  void shouldRefuseAnApprovalWhenNoPlanWaits() {
    // Given
    cluster.planner = change -> Plans.inTurn(change.generation(), ChangeType.CONFIG, "nodes");
    var refusals = refusalsDuring("open 8-config-nodes", HASH);
    // When
    env.change(8);
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    assertThat(refusals)
        .singleElement()
        .extracting(ApplicationFailure::getOriginalMessage)
        .isEqualTo("no plan of generation 8 waits for approval");
  }

  /** The planning activity shows the plan before it ends, and the run waits only after that. */
  @Test
  void shouldAskToRepeatAnApprovalThatComesWhileItPlans() throws InterruptedException {
    // Given
    var refusals = refusalsDuring("plan 7", HASH);
    // When
    env.change(7);
    awaitApproval();
    // Then
    assertNotYet(refusals);
    assertThat(env.update("approve", HASH)).endsWith("accepted");
    assertThat(env.result()).isEqualTo("Succeeded");
  }

  @Test
  void shouldAskToRepeatAnApprovalThatComesWhileItPlansAgain() throws InterruptedException {
    // Given
    env.change(7);
    awaitApproval();
    plans(OTHER, "nodes");
    var refusals = refusalsDuring("plan 7", OTHER);
    // When
    env.update("approve", HASH);
    awaitApproval(OTHER);
    // Then
    assertNotYet(refusals);
    assertThat(env.update("approve", OTHER)).endsWith("accepted");
    assertThat(env.result()).isEqualTo("Succeeded");
  }

  private static void assertNotYet(List<ApplicationFailure> refusals) {
    assertThat(refusals)
        .singleElement()
        .satisfies(refusal -> assertThat(refusal.getType()).isEqualTo(AppChangeWorkflow.NOT_YET))
        .extracting(ApplicationFailure::getOriginalMessage)
        .isEqualTo("generation 7 is being planned: try again in a moment");
  }

  /** The answers to an approval that comes during this operation. */
  private List<ApplicationFailure> refusalsDuring(String operation, String hash) {
    var refusals = new CopyOnWriteArrayList<ApplicationFailure>();
    env.during(
        operation,
        () -> {
          try {
            env.update("approve", hash);
          } catch (WorkflowUpdateException e) {
            refusals.add((ApplicationFailure) e.getCause());
          }
        });
    return refusals;
  }

  private void plans(String hash, String... components) {
    cluster.planner =
        change ->
            new Planned(
                ((Planned) Plans.inTurn(change.generation(), ChangeType.CONFIG, components))
                    .plan()
                    .awaiting(hash));
  }

  private void awaitApproval() throws InterruptedException {
    awaitApproval(HASH);
  }

  private void awaitApproval(String hash) throws InterruptedException {
    for (int i = 0; i < 500; i++) {
      if (cluster.reports.stream().anyMatch(r -> r.hold().approval().equals(Optional.of(hash)))) {
        return;
      }
      Thread.sleep(20);
    }
    fail("no report says that the plan waits");
  }
}
