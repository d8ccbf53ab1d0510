package io.middleware.engine.workflows.testing;

import io.middleware.engine.workflows.testing.port.IntegrationTestActivities.StepPlan;
import io.middleware.engine.workflows.testing.port.StepProgress;
import io.middleware.engine.workflows.testing.port.StepProgress.Phase;
import io.temporal.workflow.Workflow;
import java.time.Instant;
import java.util.Optional;

/** A step of a round, and how far it is. */
final class StepState {
  private final StepPlan plan;
  private Phase phase = Phase.PENDING;
  private String message = "";
  private Optional<Instant> startedAt = Optional.empty();
  private Optional<Instant> completedAt = Optional.empty();

  StepState(StepPlan plan) {
    this.plan = plan;
  }

  StepPlan plan() {
    return plan;
  }

  boolean isRunning() {
    return phase == Phase.RUNNING;
  }

  boolean hasPassed() {
    return phase == Phase.PASSED;
  }

  boolean hasFailed() {
    return phase == Phase.FAILED;
  }

  Instant begin() {
    phase = Phase.RUNNING;
    message = plan.loadTest().map(load -> "waits for the load of LoadTest " + load).orElse("");
    startedAt = Optional.of(now());
    return startedAt.get();
  }

  void pass(String result) {
    end(Phase.PASSED, result);
  }

  void fail(String why) {
    end(Phase.FAILED, why);
  }

  /** The test ends before the step has. */
  void abandon() {
    if (phase == Phase.PENDING) {
      phase = Phase.SKIPPED;
    } else if (phase == Phase.RUNNING) {
      end(Phase.CANCELLED, "");
    }
  }

  private void end(Phase how, String why) {
    phase = how;
    message = why;
    completedAt = Optional.of(now());
  }

  StepProgress progress() {
    return new StepProgress(plan.name(), phase, message, startedAt, completedAt);
  }

  private static Instant now() {
    return Instant.ofEpochMilli(Workflow.currentTimeMillis());
  }
}
