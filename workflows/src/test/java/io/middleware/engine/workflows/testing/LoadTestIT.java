package io.middleware.engine.workflows.testing;

import static io.middleware.engine.workflows.testing.FakeLoads.fails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.middleware.engine.workflows.port.TaskQueues;
import io.middleware.engine.workflows.testing.port.TestRefusal;
import io.temporal.api.enums.v1.IndexedValueType;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import io.temporal.client.WorkflowFailedException;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowStub;
import io.temporal.failure.ApplicationFailure;
import io.temporal.failure.CanceledFailure;
import io.temporal.testing.TestEnvironmentOptions;
import io.temporal.testing.TestWorkflowEnvironment;
import io.temporal.worker.WorkerFactoryOptions;
import io.temporal.worker.WorkerOptions;
import io.temporal.workflow.ChildWorkflowOptions;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One run is one load, whose workload is deleted at the end. */
class LoadTestIT {
  private static final String ID = "load/shop/benchmark";
  private static final String CLEAN_UP = "clean up as tester: bench";
  private static final String PASSED =
      "App cache: 7 checks: 5 held, 2 did not; all Jobs of the workload have completed";

  private final FakeLoads loads = new FakeLoads();
  private TestWorkflowEnvironment temporal;

  @BeforeEach
  void open() {
    temporal =
        TestWorkflowEnvironment.newInstance(
            TestEnvironmentOptions.newBuilder()
                .setUseTimeskipping(false)
                .setWorkerFactoryOptions(
                    WorkerFactoryOptions.newBuilder().setUsingVirtualWorkflowThreads(true).build())
                .registerSearchAttribute(
                    "MiddlewareOutcome", IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD)
                .build());
    var options =
        WorkerOptions.newBuilder()
            .setDefaultDeadlockDetectionTimeout(5000)
            .setMaxHeartbeatThrottleInterval(Duration.ofMillis(100))
            .build();
    var worker = temporal.newWorker(TaskQueues.tests(""), options);
    worker.registerWorkflowImplementationTypes(LoadTestWorkflowImpl.class, TestOfAStep.class);
    worker.registerActivitiesImplementations(loads);
    temporal.start();
  }

  @AfterEach
  void close() {
    temporal.close();
  }

  @Test
  void shouldPass() {
    // When
    var result = result(start());
    // Then
    assertThat(result).isEqualTo(PASSED);
    assertThat(loads.calls)
        .containsExactly("begin", "await", "create", "run", CLEAN_UP, "end Passed : " + PASSED);
    var load = loads.begun.getFirst();
    assertThat(load.test().workflowId()).isEqualTo(ID);
    assertThat(load.hasStatus()).isTrue();
    assertThat(load.creator()).isEqualTo("uid-1");
  }

  @Test
  void shouldCreateNothingWhenItIsRefused() {
    // Given
    loads.refusal =
        Optional.of(new TestRefusal("Rejected", "InvalidSpec", "spec.workload: has no object"));
    // When Then
    assertFails("InvalidSpec", "spec.workload: has no object");
    assertThat(loads.calls).containsExactly("begin");
  }

  @Test
  void shouldFailWhenTheTargetIsNotReadyInTime() {
    // Given
    loads.at.put("await", fails("TimedOut", "App cache is not ready: phase = Changing"));
    // When Then
    assertFails("TimedOut", "App cache is not ready");
    assertThat(loads.calls)
        .containsExactly(
            "begin",
            "await",
            CLEAN_UP,
            "end Failed TimedOut: App cache is not ready: phase = Changing");
  }

  @Test
  void shouldLeaveTheWorkloadOfAFailureToBeLookedAt() {
    // Given
    loads.cleansUpFailed = false;
    loads.at.put("run", fails("CheckFailed", "it did not hold"));
    // When Then
    assertFails("CheckFailed", "it did not hold");
    assertThat(loads.calls)
        .containsExactly(
            "begin", "await", "create", "run", "end Failed CheckFailed: it did not hold");
  }

  @Test
  void shouldSayWhatIsLeft() {
    // Given
    loads.left = "Job bench is being deleted, held by finalizer example.com/hold";
    // When
    result(start());
    // Then
    assertThat(loads.calls.getLast())
        .isEqualTo("end Passed : %s; these objects of its workload remain: %s", PASSED, loads.left);
  }

  @Test
  void shouldPassEvenWhenNothingCanBeDeleted() {
    // Given
    loads.at.put(CLEAN_UP, fails("Forbidden", "not allowed"));
    // When
    result(start());
    // Then
    assertThat(loads.calls.getLast())
        .isEqualTo("end Passed : %s; its workload could not be deleted: not allowed", PASSED);
  }

  @Test
  void shouldDeleteTheWorkloadWhenItIsCancelled() throws InterruptedException {
    // Given
    loads.cleansUpFailed = false; // OnSuccess: a load that goes on is not what was asked for
    var run = startHanging("run");
    // When
    run.cancel();
    // Then
    assertCancelled(run);
    assertThat(loads.calls).endsWith("run", CLEAN_UP, "end Cancelled : it was cancelled");
  }

  @Test
  void shouldBeCancelledBeforeItHasBegun() throws InterruptedException {
    // Given
    var run = startHanging("begin");
    // When
    run.cancel();
    // Then
    assertCancelled(run);
    assertThat(loads.calls).containsExactly("begin", "end Cancelled : it was cancelled");
  }

  @Test
  void shouldBeCancelledWhileItWaits() throws InterruptedException {
    // Given
    var run = startHanging("await");
    // When
    run.cancel();
    // Then
    assertCancelled(run);
    assertThat(loads.calls).endsWith("await", CLEAN_UP, "end Cancelled : it was cancelled");
  }

  @Test
  void shouldPassWhenItsStepEnds() throws InterruptedException {
    // Given
    var run = startHanging("run");
    // When
    run.signal("finish");
    // Then
    var passed = "App cache: 7 checks: 5 held, 2 did not; its step has ended";
    assertThat(result(run)).isEqualTo(passed);
    assertThat(loads.calls).endsWith("run", CLEAN_UP, "end Passed : " + passed);
  }

  /** A pass would claim a load that never was. */
  @Test
  void shouldFailWhenItsStepEndsBeforeTheLoadBegins() throws InterruptedException {
    // Given
    var run = startHanging("await");
    // When
    run.signal("finish");
    // Then
    assertFailed(run, "TimedOut", "the step ended before the target of its load was ready");
    assertThat(loads.calls).contains(CLEAN_UP).doesNotContain("create");
  }

  @Test
  void shouldTellTheStepWhenTheLoadRuns() {
    // When
    var options =
        WorkflowOptions.newBuilder()
            .setWorkflowId("test/shop/upgrade")
            .setTaskQueue(TaskQueues.tests(""))
            .build();
    var result =
        temporal
            .getWorkflowClient()
            .newWorkflowStub(IntegrationTestWorkflow.class, options)
            .run(new IntegrationTestRequest("", "shop", "upgrade", "uid-2", 1, Instant.EPOCH));
    // Then
    assertThat(result).isEqualTo("swap began; " + PASSED);
    var load = loads.begun.getFirst();
    assertThat(load.hasStatus()).isFalse();
    assertThat(load.creator()).isEqualTo(load.test().runId());
  }

  /** Runs one step, with a load. */
  public static final class TestOfAStep implements IntegrationTestWorkflow {
    private String begun = "";

    @Override
    public String run(IntegrationTestRequest request) {
      var options =
          ChildWorkflowOptions.newBuilder().setWorkflowId("test/shop/upgrade/1/swap/load").build();
      var result =
          Workflow.newChildWorkflowStub(LoadTestWorkflow.class, options)
              .run(
                  new LoadTestRequest(
                      "", "shop", "benchmark", Optional.empty(), Optional.of("upgrade/swap")));
      return "%s began; %s".formatted(begun, result);
    }

    @Override
    public void loadBegun(String step) {
      begun = step;
    }
  }

  private WorkflowStub startHanging(String call) throws InterruptedException {
    var reached = new CountDownLatch(1);
    loads.at.put(
        call,
        () -> {
          reached.countDown();
          FakeLoads.hangs();
        });
    var run = start();
    assertThat(reached.await(4, TimeUnit.MINUTES)).isTrue();
    return run;
  }

  private WorkflowStub start() {
    var options =
        WorkflowOptions.newBuilder().setWorkflowId(ID).setTaskQueue(TaskQueues.tests("")).build();
    var run = temporal.getWorkflowClient().newUntypedWorkflowStub("LoadTestWorkflow", options);
    run.start(new LoadTestRequest("", "shop", "benchmark", Optional.of("uid-1"), Optional.empty()));
    return run;
  }

  private static String result(WorkflowStub run) {
    return run.getResult(String.class);
  }

  private static void assertCancelled(WorkflowStub run) {
    assertThatThrownBy(() -> result(run))
        .isInstanceOf(WorkflowFailedException.class)
        .hasRootCauseInstanceOf(CanceledFailure.class);
    assertThat(run.describe().getStatus())
        .isEqualTo(WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_CANCELED);
  }

  private void assertFails(String reason, String text) {
    assertFailed(start(), reason, text);
  }

  private static void assertFailed(WorkflowStub run, String reason, String text) {
    assertThatThrownBy(() -> result(run))
        .isInstanceOf(WorkflowFailedException.class)
        .rootCause()
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            failure -> {
              assertThat(failure.getType()).isEqualTo(reason);
              assertThat(failure.getOriginalMessage()).startsWith(text);
            });
  }
}
