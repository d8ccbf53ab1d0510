package io.middleware.engine.workflows.testing.port;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The steps of an IntegrationTest. They act with the rights of the test's service account, and may
 * be repeated.
 *
 * <p>Those that wait look once a second, write into the status what is missing, and end when they
 * are cancelled. A look that the API server does not answer, or refuses for a moment, is repeated
 * with growing pauses. Those that take a {@link StepRef} fail with the type {@link
 * TestReasons#TIMED_OUT} at its deadline, with what was missing last.
 */
@ActivityInterface
public interface IntegrationTestActivities {

  /**
   * Begins a round: takes the test over for this run, checks it, and writes the status. Fails with
   * kind SUPERSEDED when the run is not the current one of its workflow.
   */
  @ActivityMethod
  RoundBegun beginRound(RoundBeginning round);

  /**
   * Applies the step's manifests, in their order, then deletes what it deletes. Fails with the type
   * {@link TestReasons#APPLY_REFUSED} when the API server refuses one.
   */
  @ActivityMethod
  void applyStep(StepRef step);

  /**
   * Waits until the controllers have seen what was applied ({@code status.observedGeneration}), and
   * what was deleted is gone.
   */
  @ActivityMethod
  void awaitConverged(StepRef step);

  /** Waits until the step is ready. */
  @ActivityMethod
  void awaitReady(StepRef step);

  /**
   * Carries out the checks of the step, or the final ones of the test, together. Fails with the
   * type {@link TestReasons#CHECK_FAILED} when one does not hold in time.
   */
  @ActivityMethod
  void checkStep(StepRef step);

  /** Writes how far the steps are. Fails with kind SUPERSEDED when the test is another run's. */
  @ActivityMethod
  void reportRound(RoundReport report);

  /**
   * Deletes what the test has created, if the test says so for such an end, and waits until it is
   * gone. Heartbeats.
   *
   * @return what is left, for people; empty when nothing is
   */
  @ActivityMethod
  List<String> cleanUp(CleanUpRequest request);

  /** Writes how the test has ended, which is final. */
  @ActivityMethod
  void endTest(TestEnd end);

  /**
   * A round that begins.
   *
   * @param spec what the first round has found the spec to be; empty in the first round
   * @param passed the last rounds, in their order
   */
  record RoundBeginning(
      TestRef test,
      int round,
      Instant begun,
      @JsonInclude(Include.NON_ABSENT) Optional<String> spec,
      List<PassedRound> passed)
      implements TestWork {
    public RoundBeginning {
      spec = Objects.requireNonNullElse(spec, Optional.empty());
      passed = List.copyOf(passed);
    }
  }

  /**
   * Either a plan, or why there is none.
   *
   * @param refusal empty: there is a plan
   */
  record RoundBegun(
      @JsonInclude(Include.NON_ABSENT) Optional<RoundPlan> plan,
      @JsonInclude(Include.NON_ABSENT) Optional<TestRefusal> refusal) {
    public RoundBegun {
      plan = Objects.requireNonNullElse(plan, Optional.empty());
      refusal = Objects.requireNonNullElse(refusal, Optional.empty());
    }
  }

  /**
   * What a round does.
   *
   * @param spec stands for the spec, which must not change
   * @param finalChecks what is checked after the last round; empty: nothing
   * @param rounds how many there are; empty: no limit
   * @param longest after which no round begins; empty: no limit
   * @param cleanUp what the test deletes at its end
   */
  record RoundPlan(
      String spec,
      boolean parallel,
      List<StepPlan> steps,
      @JsonInclude(Include.NON_ABSENT) Optional<StepPlan> finalChecks,
      @JsonInclude(Include.NON_ABSENT) Optional<Integer> rounds,
      @JsonInclude(Include.NON_ABSENT) Optional<Duration> longest,
      CleanUpPlan cleanUp) {
    public RoundPlan {
      steps = List.copyOf(steps);
      finalChecks = Objects.requireNonNullElse(finalChecks, Optional.empty());
      rounds = Objects.requireNonNullElse(rounds, Optional.empty());
      longest = Objects.requireNonNullElse(longest, Optional.empty());
    }
  }

  /**
   * A step.
   *
   * @param timeout of all its phases together
   * @param ready whether it has conditions to be ready
   * @param checks whether it has checks
   * @param loadTest the LoadTest whose load runs meanwhile; empty: none
   */
  record StepPlan(
      String name,
      Duration timeout,
      boolean ready,
      boolean checks,
      @JsonInclude(Include.NON_ABSENT) Optional<String> loadTest) {
    public StepPlan {
      loadTest = Objects.requireNonNullElse(loadTest, Optional.empty());
    }
  }

  /**
   * A step of a round.
   *
   * @param spec stands for the spec, as the first round has found it
   * @param deadline of the step
   */
  record StepRef(TestRef test, String spec, int round, String step, Instant deadline)
      implements TestWork {
    /** The name of the step that carries out the final checks of a test. */
    public static final String FINAL_CHECKS = "final-checks";
  }

  /** How far a round is. */
  record RoundReport(TestRef test, int round, List<StepProgress> steps) implements TestWork {
    public RoundReport {
      steps = List.copyOf(steps);
    }
  }

  /**
   * An end that cleans up.
   *
   * @param phase how the test ends
   * @param plan of the first round
   * @param longest how long an attempt waits until all is gone
   */
  record CleanUpRequest(TestRef test, String phase, CleanUpPlan plan, Duration longest)
      implements TestWork {}

  /**
   * How a test has ended.
   *
   * @param phase one of the phases of an end
   * @param reason one word; empty when it has passed or was cancelled
   * @param step the step that has failed; empty: none
   * @param round the last round
   */
  record TestEnd(
      TestRef test,
      String phase,
      String reason,
      String message,
      @JsonInclude(Include.NON_ABSENT) Optional<String> step,
      RoundEnd round)
      implements TestWork {
    public TestEnd {
      step = Objects.requireNonNullElse(step, Optional.empty());
    }
  }

  /**
   * The last round of a test.
   *
   * @param passed whether all its steps have passed
   * @param begun whether it has begun
   */
  record RoundEnd(
      int round, boolean begun, boolean passed, Instant startedAt, List<StepProgress> steps) {
    public RoundEnd {
      steps = List.copyOf(steps);
    }
  }
}
