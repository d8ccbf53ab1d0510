package io.middleware.engine.workflows.testing;

import io.middleware.engine.api.testing.LoadTestStatus;
import io.middleware.engine.workflows.temporal.ChangeSearchAttributes;
import io.middleware.engine.workflows.temporal.FailureCauses;
import io.middleware.engine.workflows.testing.port.LoadRef;
import io.middleware.engine.workflows.testing.port.LoadTestActivities;
import io.middleware.engine.workflows.testing.port.LoadTestActivities.LoadBegun;
import io.middleware.engine.workflows.testing.port.LoadTestActivities.LoadCleanUp;
import io.middleware.engine.workflows.testing.port.LoadTestActivities.LoadCounts;
import io.middleware.engine.workflows.testing.port.LoadTestActivities.LoadEnd;
import io.middleware.engine.workflows.testing.port.LoadTestActivities.LoadResult;
import io.middleware.engine.workflows.testing.port.LoadTestActivities.LoadRun;
import io.middleware.engine.workflows.testing.port.LoadTestActivities.LoadTargetFound;
import io.middleware.engine.workflows.testing.port.LoadTestActivities.LoadWait;
import io.middleware.engine.workflows.testing.port.LoadTestActivities.LoadWork;
import io.middleware.engine.workflows.testing.port.TestReasons;
import io.middleware.engine.workflows.testing.port.TestRefusal;
import io.temporal.activity.ActivityOptions;
import io.temporal.common.converter.DataConverterException;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.ApplicationFailure;
import io.temporal.failure.CanceledFailure;
import io.temporal.failure.TemporalFailure;
import io.temporal.failure.TimeoutFailure;
import io.temporal.workflow.CancellationScope;
import io.temporal.workflow.SignalExternalWorkflowException;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One load on one target: it is awaited, the workload is created, and what must hold is checked.
 */
final class LoadTestRun {
  private static final Duration LONGEST_LOAD = Duration.ofDays(7);
  private static final Duration LONGEST_CREATION = Duration.ofMinutes(10);
  private static final Duration LONGEST_CLEAN_UP = Duration.ofMinutes(5);

  private final StepEnd stepEnd;
  private LoadRef load;

  LoadTestRun(LoadRef load, StepEnd stepEnd) {
    this.load = load;
    this.stepEnd = stepEnd;
  }

  /** Returns what was checked how often, for people. */
  String run() {
    var begun = begin();
    begun.refusal().ifPresent(LoadTestRun::refuse);
    load = load.with(begun.specDigest());
    String message;
    try {
      message = carryOut(begun);
    } catch (TemporalFailure e) {
      Workflow.newDetachedCancellationScope(() -> abandon(Optional.of(begun), e)).run();
      throw e;
    }
    Workflow.newDetachedCancellationScope(() -> pass(begun, message)).run();
    return message;
  }

  private LoadBegun begin() {
    try {
      return patient("begin " + load.test().name()).beginLoad(load);
    } catch (TemporalFailure e) {
      Workflow.newDetachedCancellationScope(() -> abandon(Optional.empty(), e)).run();
      throw e;
    }
  }

  /** The status says it already. */
  private static void refuse(TestRefusal refusal) {
    show(refusal.phase());
    throw ApplicationFailure.newNonRetryableFailure(
        refusal.message(), refusal.reason().isEmpty() ? refusal.phase() : refusal.reason());
  }

  private String carryOut(LoadBegun begun) {
    var target = target(begun);
    var since =
        limited("create the workload", LONGEST_CREATION).createWorkload(new LoadWork(load, target));
    Workflow.setCurrentDetails("Load on %s.".formatted(target));
    tellStep();
    var result = result(new LoadRun(load, target, since));
    if (result.stopped() && !stepEnd.hasCome()) {
      throw new CanceledFailure("the load was cancelled");
    }
    if (result.stopped() && result.counts().hasOnlyFailed()) {
      throw ApplicationFailure.newNonRetryableFailure(
          "%s: its only check did not hold".formatted(target), TestReasons.CHECK_FAILED);
    }
    var why = result.stopped() ? "its step has ended" : result.why();
    return "%s: %s; %s".formatted(target, result.counts(), why);
  }

  /** The manifests of a step are applied when its load runs. */
  private void tellStep() {
    load.step()
        .map(step -> step.substring(step.indexOf('/') + 1))
        .ifPresent(
            step ->
                Workflow.getInfo()
                    .getParentWorkflowId()
                    .map(id -> Workflow.newExternalWorkflowStub(IntegrationTestWorkflow.class, id))
                    .ifPresent(test -> tell(test, step)));
  }

  /** A test that has ended cancels its load. */
  private static void tell(IntegrationTestWorkflow test, String step) {
    try {
      test.loadBegun(step);
    } catch (SignalExternalWorkflowException e) {
      Workflow.getLogger(LoadTestRun.class).debug("the test has ended", e);
    }
  }

  private LoadTargetFound target(LoadBegun begun) {
    List<LoadTargetFound> found = new ArrayList<>();
    var wait = new LoadWait(load, begun.readyTimeout());
    try {
      stepEnd.until(
          () -> found.add(limited("wait for the target", wait.timeout()).awaitTarget(wait)));
      return found.getFirst();
    } catch (TemporalFailure e) {
      if (stepEnd.hasCome() && FailureCauses.isCancel(e)) {
        throw timedOut("the step ended before the target of its load was ready");
      }
      if (e.getCause() instanceof TimeoutFailure) {
        throw timedOut(FailureCauses.explain(e).message());
      }
      throw e;
    }
  }

  private LoadResult result(LoadRun run) {
    List<LoadResult> result = new ArrayList<>();
    try {
      stepEnd.until(() -> result.add(limited("run the load", LONGEST_LOAD).runLoad(run)));
      return result.getFirst();
    } catch (TemporalFailure e) {
      return stoppedWithoutWord(e);
    }
  }

  /** Its worker was gone when it was to stop, or it was stopped before it was there. */
  private LoadResult stoppedWithoutWord(TemporalFailure failure) {
    return switch (failure instanceof ActivityFailure ? failure.getCause() : failure) {
      case CanceledFailure cancelled -> new LoadResult(LoadCounts.NONE, true, "");
      case TimeoutFailure timeout when isToStop() -> new LoadResult(counts(timeout), true, "");
      case TimeoutFailure timeout ->
          throw timedOut(
              "the load did not end within %d days; %s"
                  .formatted(LONGEST_LOAD.toDays(), counts(timeout)));
      case null, default -> throw failure;
    };
  }

  private boolean isToStop() {
    return stepEnd.hasCome() || CancellationScope.current().isCancelRequested();
  }

  /** The worker says that it is alive by other words before the first count. */
  private static LoadCounts counts(TimeoutFailure timeout) {
    var details = timeout.getLastHeartbeatDetails();
    try {
      return details.getSize() > 0 ? details.get(LoadCounts.class) : LoadCounts.NONE;
    } catch (DataConverterException e) {
      return LoadCounts.NONE;
    }
  }

  private static ApplicationFailure timedOut(String why) {
    return ApplicationFailure.newNonRetryableFailure(why, TestReasons.TIMED_OUT);
  }

  private void pass(LoadBegun begun, String message) {
    var remains = begun.cleansUp() ? cleanUp(begun) : "";
    end(LoadTestStatus.PASSED, "", message + remains);
  }

  /**
   * @param begun empty when it is not known whether it has begun: then nothing was created
   */
  private void abandon(Optional<LoadBegun> begun, TemporalFailure failure) {
    if (FailureCauses.isCancel(failure)) {
      var remains = begun.filter(LoadBegun::cleansUp).map(this::cleanUp).orElse("");
      end(LoadTestStatus.CANCELLED, "", "it was cancelled" + remains);
    } else {
      var fault = FailureCauses.explain(failure);
      var remains = begun.filter(LoadBegun::cleansUpFailed).map(this::cleanUp).orElse("");
      end(LoadTestStatus.FAILED, fault.reason(), fault.message() + remains);
    }
  }

  /** Returns what people should know about it. */
  private String cleanUp(LoadBegun begun) {
    try {
      var left = cleaning().cleanUpLoad(new LoadCleanUp(load, begun.account(), begun.workload()));
      return left.isEmpty() ? "" : "; these objects of its workload remain: " + left;
    } catch (ActivityFailure e) {
      return "; its workload could not be deleted: " + FailureCauses.explain(e).message();
    }
  }

  private void end(String phase, String reason, String why) {
    try {
      patient("end " + load.test().name()).endLoad(new LoadEnd(load, phase, reason, why));
    } finally {
      show(phase);
    }
  }

  private static void show(String outcome) {
    Workflow.upsertTypedSearchAttributes(ChangeSearchAttributes.OUTCOME.valueSet(outcome));
    Workflow.setCurrentDetails(outcome + ".");
  }

  private static LoadTestActivities patient(String summary) {
    return Workflow.newActivityStub(LoadTestActivities.class, TestPolicy.patient(summary));
  }

  /** However long no worker is there, the next one deletes. */
  private static LoadTestActivities cleaning() {
    return Workflow.newActivityStub(
        LoadTestActivities.class,
        ActivityOptions.newBuilder(TestPolicy.patient("delete the workload"))
            .setStartToCloseTimeout(LONGEST_CLEAN_UP)
            .build());
  }

  private static LoadTestActivities limited(String summary, Duration longest) {
    return Workflow.newActivityStub(LoadTestActivities.class, TestPolicy.waiting(summary, longest));
  }
}
