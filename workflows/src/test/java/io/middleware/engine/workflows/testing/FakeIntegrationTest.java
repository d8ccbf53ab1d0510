package io.middleware.engine.workflows.testing;

import io.middleware.engine.workflows.testing.port.CleanUpPlan;
import io.middleware.engine.workflows.testing.port.IntegrationTestActivities;
import io.middleware.engine.workflows.testing.port.StepProgress;
import io.middleware.engine.workflows.testing.port.TestRefusal;
import io.temporal.activity.Activity;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;

/** A test with the steps that it is told; notes what is asked of it. */
final class FakeIntegrationTest implements IntegrationTestActivities {
  final List<String> calls = new CopyOnWriteArrayList<>();
  final List<RoundBeginning> begun = new CopyOnWriteArrayList<>();
  final List<TestEnd> ends = new CopyOnWriteArrayList<>();
  final List<StepRef> refs = new CopyOnWriteArrayList<>();
  final List<CleanUpRequest> cleanUps = new CopyOnWriteArrayList<>();

  /** What happens at a call; by default nothing. */
  final ConcurrentHashMap<String, Runnable> at = new ConcurrentHashMap<>();

  volatile List<StepPlan> steps = List.of(step("up"), step("down"));
  volatile boolean parallel;
  volatile Optional<StepPlan> finalChecks = Optional.empty();
  volatile Optional<Integer> rounds = Optional.of(1);
  volatile Optional<Duration> longest = Optional.empty();
  volatile Optional<TestRefusal> refusal = Optional.empty();
  volatile List<String> left = List.of();
  volatile CleanUpPlan cleanUp = new CleanUpPlan("tester", List.of(), true);

  static StepPlan step(String name) {
    return new StepPlan(name, Duration.ofMinutes(1), true, true, Optional.empty());
  }

  @Override
  public RoundBegun beginRound(RoundBeginning round) {
    begun.add(round);
    call("begin " + round.round());
    return refusal
        .map(why -> new RoundBegun(Optional.empty(), Optional.of(why)))
        .orElseGet(
            () ->
                new RoundBegun(
                    Optional.of(
                        new RoundPlan(
                            "spec", parallel, steps, finalChecks, rounds, longest, cleanUp)),
                    Optional.empty()));
  }

  @Override
  public void applyStep(StepRef step) {
    call("apply", step);
  }

  @Override
  public void awaitConverged(StepRef step) {
    call("converged", step);
  }

  @Override
  public void awaitReady(StepRef step) {
    call("ready", step);
  }

  @Override
  public void checkStep(StepRef step) {
    call("check", step);
  }

  @Override
  public void reportRound(RoundReport report) {
    call("report " + inWords(report.steps()));
  }

  @Override
  public List<String> cleanUp(CleanUpRequest request) {
    cleanUps.add(request);
    call("clean up " + request.phase());
    return left;
  }

  @Override
  public void endTest(TestEnd end) {
    ends.add(end);
    call("end " + end.phase());
  }

  static String inWords(List<StepProgress> steps) {
    return steps.stream()
        .map(step -> step.name() + "=" + step.phase().label())
        .reduce((one, other) -> one + " " + other)
        .orElse("");
  }

  private void call(String phase, StepRef step) {
    refs.add(step);
    call("%s %s %d".formatted(phase, step.step(), step.round()));
  }

  private void call(String what) {
    calls.add(what);
    at.getOrDefault(what, () -> {}).run();
  }

  static Runnable fails(String reason, String why) {
    return () -> {
      throw ApplicationFailure.newNonRetryableFailure(why, reason);
    };
  }

  /** Ends only when it is cancelled. */
  static void hangs() {
    while (true) {
      Activity.getExecutionContext().heartbeat("waits");
      LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
    }
  }
}
