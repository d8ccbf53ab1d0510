package io.middleware.engine.workflows.testing;

import io.middleware.engine.workflows.temporal.FailureCauses;
import io.middleware.engine.workflows.testing.port.IntegrationTestActivities;
import io.middleware.engine.workflows.testing.port.IntegrationTestActivities.RoundPlan;
import io.middleware.engine.workflows.testing.port.IntegrationTestActivities.RoundReport;
import io.middleware.engine.workflows.testing.port.IntegrationTestActivities.StepRef;
import io.middleware.engine.workflows.testing.port.StepProgress;
import io.middleware.engine.workflows.testing.port.TestRef;
import io.temporal.failure.TemporalFailure;
import io.temporal.workflow.Async;
import io.temporal.workflow.Promise;
import io.temporal.workflow.Workflow;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** The steps of a round, and the final checks of the test. */
final class TestSteps {
  private final TestRef test;
  private final int round;
  private final Predicate<String> loadRuns;
  private final List<StepState> states = new ArrayList<>();

  TestSteps(TestRef test, int round, Predicate<String> loadRuns) {
    this.test = test;
    this.round = round;
    this.loadRuns = loadRuns;
  }

  void run(RoundPlan plan) {
    plan.steps().forEach(step -> states.add(new StepState(step)));
    if (plan.parallel()) {
      runTogether(plan);
    } else {
      states.forEach(step -> run(step, plan));
    }
  }

  /** When one fails, the others are cancelled. */
  private void runTogether(RoundPlan plan) {
    List<Promise<Void>> running = new ArrayList<>();
    var scope =
        Workflow.newCancellationScope(
            () -> states.forEach(step -> running.add(Async.procedure(() -> run(step, plan)))));
    scope.run();
    try {
      Promise.allOf(running).get();
    } catch (TemporalFailure e) {
      Workflow.newDetachedCancellationScope(
              () -> {
                scope.cancel("another step has failed");
                running.forEach(step -> step.handle((result, failure) -> null).get());
              })
          .run();
      throw e;
    }
  }

  private void run(StepState step, RoundPlan plan) {
    var ref = begin(step, plan);
    if (step.plan().loadTest().isPresent()) {
      report();
    }
    ended(
        step,
        () -> {
          var phases = new StepRun(step.plan(), ref);
          return step.plan()
              .loadTest()
              .map(load -> load(load, ref).around(phases::run))
              .orElseGet(
                  () -> {
                    phases.run();
                    return "";
                  });
        });
    report();
  }

  /** The final checks, if there are any. */
  void check(RoundPlan plan) {
    plan.finalChecks()
        .map(StepState::new)
        .ifPresent(
            step -> {
              states.add(step);
              var ref = begin(step, plan);
              ended(
                  step,
                  () -> {
                    new StepRun(step.plan(), ref).check();
                    return "";
                  });
            });
  }

  private StepRef begin(StepState step, RoundPlan plan) {
    var deadline = step.begin().plus(step.plan().timeout());
    show("in progress");
    return new StepRef(test, plan.spec(), round, step.plan().name(), deadline);
  }

  private static void ended(StepState step, Supplier<String> work) {
    try {
      step.pass(work.get());
    } catch (TemporalFailure e) {
      if (!FailureCauses.isCancel(e)) {
        step.fail(FailureCauses.explain(e).message());
      }
      throw e;
    }
  }

  private StepLoad load(String loadTest, StepRef ref) {
    var request =
        new LoadTestRequest(
            test.cluster(),
            test.namespace(),
            loadTest,
            Optional.empty(),
            Optional.of(test.name() + "/" + ref.step()));
    var id = "%s/%d/%s/load".formatted(test.workflowId(), round, ref.step());
    return new StepLoad(request, id, () -> loadRuns.test(ref.step()), ref.deadline());
  }

  private void report() {
    show("in progress");
    Workflow.newActivityStub(
            IntegrationTestActivities.class, TestPolicy.patient("report round " + round))
        .reportRound(new RoundReport(test, round, progress()));
  }

  /** Those that have not ended do not go on. */
  void abandon() {
    states.forEach(StepState::abandon);
  }

  /** The first that has failed. */
  Optional<String> failed() {
    return states.stream().filter(StepState::hasFailed).findFirst().map(step -> step.plan().name());
  }

  /** The first in progress. */
  Optional<String> current() {
    return states.stream().filter(StepState::isRunning).findFirst().map(it -> it.plan().name());
  }

  boolean haveBegun() {
    return !states.isEmpty();
  }

  /** Whether all steps of the round have passed; the final checks do not count as a step. */
  boolean havePassed() {
    return haveBegun()
        && states.stream()
            .filter(step -> !step.plan().name().equals(StepRef.FINAL_CHECKS))
            .allMatch(StepState::hasPassed);
  }

  List<StepProgress> progress() {
    return states.stream().map(StepState::progress).toList();
  }

  /** Shows them in the Web UI. */
  void show(String headline) {
    Workflow.setCurrentDetails(RoundDetails.markdown(test, round, headline, progress()));
  }
}
