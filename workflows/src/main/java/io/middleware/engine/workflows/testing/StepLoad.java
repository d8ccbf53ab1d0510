package io.middleware.engine.workflows.testing;

import io.middleware.engine.workflows.temporal.ChangeSearchAttributes;
import io.middleware.engine.workflows.temporal.FailureCauses;
import io.middleware.engine.workflows.temporal.NamedTimer;
import io.middleware.engine.workflows.testing.port.TestReasons;
import io.temporal.failure.ApplicationFailure;
import io.temporal.failure.CanceledFailure;
import io.temporal.failure.ChildWorkflowFailure;
import io.temporal.failure.TemporalFailure;
import io.temporal.workflow.Async;
import io.temporal.workflow.CancellationScope;
import io.temporal.workflow.ChildWorkflowCancellationType;
import io.temporal.workflow.ChildWorkflowOptions;
import io.temporal.workflow.Functions.Proc;
import io.temporal.workflow.Promise;
import io.temporal.workflow.SignalExternalWorkflowException;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;

/**
 * The load of a step.
 *
 * <ol>
 *   <li>The load starts; the phases of the step begin when it runs.
 *   <li>When the load fails, the phases are cancelled, and the step fails. A load that has ended
 *       well leaves the phases alone.
 *   <li>When the phases have passed, the load ends as if its time were over. Its last checks
 *       decide.
 *   <li>When the phases fail, or the step is cancelled, the load is cancelled.
 * </ol>
 */
final class StepLoad {
  private final LoadTestRequest request;
  private final LoadTestWorkflow child;
  private final Supplier<Boolean> begun;
  private final Instant deadline;

  /**
   * @param begun whether the load runs
   * @param deadline by when it must run
   */
  StepLoad(LoadTestRequest request, String childId, Supplier<Boolean> begun, Instant deadline) {
    this.request = request;
    this.deadline = deadline;
    this.begun = begun;
    this.child =
        Workflow.newChildWorkflowStub(
            LoadTestWorkflow.class,
            ChildWorkflowOptions.newBuilder()
                .setWorkflowId(childId)
                .setStaticSummary("load " + request.name())
                .setTypedSearchAttributes(
                    ChangeSearchAttributes.ofTest(
                        request.cluster(), request.namespace(), "LoadTest"))
                .setCancellationType(ChildWorkflowCancellationType.WAIT_CANCELLATION_COMPLETED)
                .build());
  }

  /** Runs the phases under load; returns what the load says, for people. */
  String around(Proc phases) {
    var load = new Running<String>();
    var steps = new Running<Void>();
    load.start(() -> Async.function(child::run, request));
    try {
      awaitBegin(load);
      steps.start(() -> Async.procedure(phases));
      Workflow.await(() -> steps.isCompleted() || load.hasFailed());
      requireGoing(load);
      steps.result();
      finish(load);
      return load.result();
    } catch (TemporalFailure e) {
      Workflow.newDetachedCancellationScope(
              () -> {
                steps.cancel();
                load.cancel();
              })
          .run();
      throw e instanceof ChildWorkflowFailure && !isOwnCancel() ? loadFailure(load) : e;
    }
  }

  private void awaitBegin(Running<String> load) {
    var now = Instant.ofEpochMilli(Workflow.currentTimeMillis());
    var inTime =
        NamedTimer.await(
            Duration.between(now, deadline),
            "time limit for the begin of load " + request.name(),
            () -> begun.get() || load.isCompleted());
    requireGoing(load);
    if (!inTime) {
      throw ApplicationFailure.newNonRetryableFailure(
          "the load of LoadTest %s has not begun in time".formatted(request.name()),
          TestReasons.TIMED_OUT);
    }
  }

  private void requireGoing(Running<String> load) {
    if (load.hasFailed()) {
      throw loadFailure(load);
    }
  }

  private void finish(Running<String> load) {
    if (load.isCompleted()) {
      return;
    }
    try {
      child.finish();
    } catch (SignalExternalWorkflowException e) {
      Workflow.getLogger(StepLoad.class).debug("the load has ended by itself", e);
    }
  }

  private static boolean isOwnCancel() {
    return CancellationScope.current().isCancelRequested();
  }

  /** A load that somebody else has cancelled does not cancel the test. */
  private RuntimeException loadFailure(Running<String> load) {
    var failure = load.failure();
    if (FailureCauses.isCancel(failure) && isOwnCancel()) {
      return new CanceledFailure("the step was cancelled");
    }
    var why =
        FailureCauses.isCancel(failure)
            ? "it was cancelled"
            : FailureCauses.explain(failure).message();
    return ApplicationFailure.newNonRetryableFailure(
        "LoadTest %s: %s".formatted(request.name(), why), TestReasons.LOAD_TEST_FAILED);
  }

  /** Something that runs in a scope of its own. */
  private static final class Running<T> {
    private CancellationScope scope;
    private Promise<T> promise;

    void start(Supplier<Promise<T>> work) {
      scope = Workflow.newCancellationScope(() -> promise = work.get());
      scope.run();
    }

    boolean isCompleted() {
      return promise != null && promise.isCompleted();
    }

    boolean hasFailed() {
      return isCompleted() && promise.getFailure() != null;
    }

    TemporalFailure failure() {
      return (TemporalFailure) promise.getFailure();
    }

    T result() {
      return promise.get();
    }

    /** Waits for its end. */
    void cancel() {
      if (promise != null && !promise.isCompleted()) {
        scope.cancel("the step has ended");
        promise.handle((result, failure) -> null).get();
      }
    }
  }
}
