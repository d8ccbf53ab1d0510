package io.middleware.engine.workflows.testing;

import io.middleware.engine.workflows.temporal.ChangeSearchAttributes;
import io.middleware.engine.workflows.temporal.FailureCauses;
import io.middleware.engine.workflows.testing.port.CleanUpPlan;
import io.middleware.engine.workflows.testing.port.IntegrationTestActivities;
import io.middleware.engine.workflows.testing.port.IntegrationTestActivities.CleanUpRequest;
import io.middleware.engine.workflows.testing.port.IntegrationTestActivities.RoundBeginning;
import io.middleware.engine.workflows.testing.port.IntegrationTestActivities.RoundEnd;
import io.middleware.engine.workflows.testing.port.IntegrationTestActivities.RoundPlan;
import io.middleware.engine.workflows.testing.port.IntegrationTestActivities.TestEnd;
import io.middleware.engine.workflows.testing.port.PassedRound;
import io.middleware.engine.workflows.testing.port.TestRef;
import io.middleware.engine.workflows.testing.port.TestRefusal;
import io.temporal.failure.ApplicationFailure;
import io.temporal.failure.CanceledFailure;
import io.temporal.failure.TemporalFailure;
import io.temporal.workflow.CancellationScope;
import io.temporal.workflow.Workflow;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * One round of a test.
 *
 * <ol>
 *   <li>Begin: the test is checked, and becomes this run's.
 *   <li>The steps, one after the other or together. The first that fails ends the test.
 *   <li>After a round that passed: the next one, as a new run. After the last: the final checks.
 *   <li>However the test ends: delete what it has created, then write how it ended.
 * </ol>
 */
final class TestRound {
  private static final String PASSED = "Passed";
  private static final String FAILED = "Failed";
  private static final String CANCELLED = "Cancelled";

  private final IntegrationTestRequest request;
  private final TestRef test;
  private final TestSteps steps;
  private final Instant startedAt = now();

  /** Empty: nothing has been created. */
  private Optional<CleanUpPlan> cleanUp;

  /**
   * @param loadRuns whether the load of a step runs
   */
  TestRound(IntegrationTestRequest request, Predicate<String> loadRuns) {
    var info = Workflow.getInfo();
    this.request = request;
    this.cleanUp = request.cleanUp();
    this.test =
        new TestRef(
            request.cluster(),
            request.namespace(),
            request.name(),
            request.uid(),
            info.getWorkflowId(),
            info.getRunId());
    this.steps = new TestSteps(test, request.round(), loadRuns);
  }

  /** Returns what has passed, for people. */
  String run() {
    try {
      var plan = begin();
      steps.run(plan);
      if (hasNext(plan)) {
        next(plan);
      }
      steps.check(plan);
      return pass(plan);
    } catch (TemporalFailure e) {
      var failure = placed(e);
      Workflow.newDetachedCancellationScope(() -> end(failure)).run();
      throw failure;
    }
  }

  private RoundPlan begin() {
    var begun =
        Workflow.newActivityStub(
                IntegrationTestActivities.class,
                TestPolicy.patient("begin round " + request.round()))
            .beginRound(
                new RoundBeginning(
                    test, request.round(), request.begun(), request.spec(), request.passed()));
    if (begun.refusal().isPresent()) {
      throw RefusedRound.failure(begun.refusal().get());
    }
    var plan = begun.plan().orElseThrow();
    cleanUp = cleanUp.or(() -> Optional.of(plan.cleanUp()));
    return plan;
  }

  private boolean hasNext(RoundPlan plan) {
    var isLast = plan.rounds().map(rounds -> request.round() >= rounds).orElse(false);
    return !isLast && !isOver(plan);
  }

  private boolean isOver(RoundPlan plan) {
    return plan.longest()
        .map(longest -> !now().isBefore(request.begun().plus(longest)))
        .orElse(false);
  }

  /** A cancel that arrives now is this run's: the next one would not hear of it. */
  private void next(RoundPlan plan) {
    if (CancellationScope.current().isCancelRequested()) {
      throw new CanceledFailure("cancelled after round " + request.round());
    }
    Workflow.continueAsNew(request.next(plan, new PassedRound(request.round(), startedAt, now())));
  }

  private String pass(RoundPlan plan) {
    var result =
        "%d%s passed%s"
            .formatted(
                request.round(),
                plan.rounds()
                    .map(rounds -> " of %d %s".formatted(rounds, rounds == 1 ? "round" : "rounds"))
                    .orElse(request.round() == 1 ? " round" : " rounds"),
                isCutShort(plan) ? ", then the time for more rounds was over" : "");
    Workflow.newDetachedCancellationScope(() -> end(PASSED, "", result, Optional.empty())).run();
    return result;
  }

  private boolean isCutShort(RoundPlan plan) {
    return plan.rounds().map(rounds -> request.round() < rounds).orElse(true);
  }

  /** The failure of a step says which round and step it was. */
  private TemporalFailure placed(TemporalFailure failure) {
    if (RefusedRound.refusal(failure).isPresent() || FailureCauses.isCancel(failure)) {
      return failure;
    }
    var fault = FailureCauses.explain(failure);
    return ApplicationFailure.newNonRetryableFailure(
        "%s: %s".formatted(place(steps.failed()), fault.message()), fault.reason());
  }

  private void end(TemporalFailure failure) {
    var refusal = RefusedRound.refusal(failure);
    if (refusal.isPresent()) {
      end(refusal.get());
    } else if (FailureCauses.isCancel(failure)) {
      end(CANCELLED, "", "it was cancelled in " + place(steps.current()), Optional.empty());
    } else {
      var fault = FailureCauses.explain(failure);
      end(FAILED, fault.reason(), fault.message(), steps.failed());
    }
  }

  /** One that has ended before keeps its status. */
  private void end(TestRefusal refusal) {
    if (!refusal.phase().isEmpty()) {
      end(refusal.phase(), refusal.reason(), refusal.message(), Optional.empty());
    }
  }

  private String place(Optional<String> step) {
    var round = "round " + request.round();
    return step.map(name -> "%s, step %s".formatted(round, name)).orElse(round);
  }

  private void end(String phase, String reason, String message, Optional<String> step) {
    steps.abandon();
    var left = cleanUp.map(plan -> cleanUp(plan, phase)).orElse(List.of());
    var text =
        left.isEmpty() ? message : "%s; left: %s".formatted(message, String.join("; ", left));
    Workflow.newActivityStub(IntegrationTestActivities.class, TestPolicy.patient("end: " + phase))
        .endTest(new TestEnd(test, phase, reason, text, step, roundEnd()));
    Workflow.upsertTypedSearchAttributes(ChangeSearchAttributes.OUTCOME.valueSet(phase));
    steps.show(phase);
  }

  private RoundEnd roundEnd() {
    return new RoundEnd(
        request.round(), steps.haveBegun(), steps.havePassed(), startedAt, steps.progress());
  }

  private List<String> cleanUp(CleanUpPlan plan, String phase) {
    try {
      return Workflow.newActivityStub(
              IntegrationTestActivities.class,
              TestPolicy.cleaningUp("delete what the test has created", TestPolicy.CLEAN_UP))
          .cleanUp(new CleanUpRequest(test, phase, plan, TestPolicy.CLEAN_UP));
    } catch (TemporalFailure e) {
      return List.of("what it has created: " + FailureCauses.explain(e).message());
    }
  }

  private static Instant now() {
    return Instant.ofEpochMilli(Workflow.currentTimeMillis());
  }
}
