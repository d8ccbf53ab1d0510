package io.middleware.engine.workflows.testing;

import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.workflows.temporal.FailureCauses;
import io.middleware.engine.workflows.testing.port.IntegrationTestActivities;
import io.middleware.engine.workflows.testing.port.IntegrationTestActivities.StepPlan;
import io.middleware.engine.workflows.testing.port.IntegrationTestActivities.StepRef;
import io.middleware.engine.workflows.testing.port.TestReasons;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.ApplicationFailure;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.time.Instant;
import java.util.function.BiConsumer;

/** The phases of a step: applied, converged, ready, checked. Its time limit is for all of them. */
final class StepRun {
  /** The step says itself what it has missed last, even when its time is already over. */
  private static final Duration SHORTEST = Duration.ofSeconds(1);

  private final StepPlan plan;
  private final StepRef ref;

  StepRun(StepPlan plan, StepRef ref) {
    this.plan = plan;
    this.ref = ref;
  }

  void run() {
    phase("apply", IntegrationTestActivities::applyStep);
    phase("await converged", IntegrationTestActivities::awaitConverged);
    if (plan.ready()) {
      phase("await ready", IntegrationTestActivities::awaitReady);
    }
    check();
  }

  /** Only the checks. */
  void check() {
    if (plan.checks()) {
      phase("check", IntegrationTestActivities::checkStep);
    }
  }

  private void phase(String name, BiConsumer<IntegrationTestActivities, StepRef> phase) {
    var summary = "round %d: %s %s".formatted(ref.round(), name, ref.step());
    var options = TestPolicy.waiting(summary, remaining());
    try {
      phase.accept(Workflow.newActivityStub(IntegrationTestActivities.class, options), ref);
    } catch (ActivityFailure e) {
      throw timedOut(name, e);
    }
  }

  private Duration remaining() {
    var now = Instant.ofEpochMilli(Workflow.currentTimeMillis());
    var remaining = Duration.between(now, ref.deadline());
    return remaining.compareTo(SHORTEST) < 0 ? SHORTEST : remaining;
  }

  /** No worker was there to say it. */
  private static RuntimeException timedOut(String name, ActivityFailure e) {
    if (FailureCauses.isCancel(e)) {
      return e;
    }
    var fault = FailureCauses.explain(e);
    return FaultKind.UNAVAILABLE.label().equals(fault.reason())
        ? ApplicationFailure.newNonRetryableFailure(
            "%s: %s".formatted(name, fault.message()), TestReasons.TIMED_OUT)
        : e;
  }
}
