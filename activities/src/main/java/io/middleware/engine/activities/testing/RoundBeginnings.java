package io.middleware.engine.activities.testing;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.api.testing.CleanUp;
import io.middleware.engine.api.testing.IntegrationTest;
import io.middleware.engine.api.testing.IntegrationTestSpec;
import io.middleware.engine.api.testing.IntegrationTestStatus;
import io.middleware.engine.api.testing.Repeat;
import io.middleware.engine.api.testing.TestCheck;
import io.middleware.engine.api.testing.TestStep;
import io.middleware.engine.planning.app.SpecDurations;
import io.middleware.engine.planning.condition.EndpointPolicy;
import io.middleware.engine.workflows.testing.port.CleanUpPlan;
import io.middleware.engine.workflows.testing.port.CleanUpPlan.ObjectName;
import io.middleware.engine.workflows.testing.port.IntegrationTestActivities.RoundBeginning;
import io.middleware.engine.workflows.testing.port.IntegrationTestActivities.RoundBegun;
import io.middleware.engine.workflows.testing.port.IntegrationTestActivities.RoundPlan;
import io.middleware.engine.workflows.testing.port.IntegrationTestActivities.StepPlan;
import io.middleware.engine.workflows.testing.port.IntegrationTestActivities.StepRef;
import io.middleware.engine.workflows.testing.port.TestReasons;
import io.middleware.engine.workflows.testing.port.TestRef;
import io.middleware.engine.workflows.testing.port.TestRefusal;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/** Begins rounds, or says why there is none. */
final class RoundBeginnings {
  static final String EDITED =
      "the spec was edited after the test had begun: create another IntegrationTest instead";

  private static final Duration DEFAULT_TIMEOUT = Duration.ofMinutes(10);
  private static final Duration LONGEST_UNTIL_FAILURE = Duration.ofHours(24);

  /** While the API server does not answer, the time of the checks themselves stands still. */
  private static final Duration FOR_OUTAGES = Duration.ofMinutes(10);

  private final KubernetesClient client;
  private final IntegrationTests tests;
  private final TestRunLookup runs;
  private final BiFunction<TestRef, IntegrationTest, TestObjects> objects;
  private final EndpointPolicy endpoints;

  RoundBeginnings(
      KubernetesClient client,
      IntegrationTests tests,
      TestRunLookup runs,
      BiFunction<TestRef, IntegrationTest, TestObjects> objects,
      EndpointPolicy endpoints) {
    this.client = client;
    this.tests = tests;
    this.runs = runs;
    this.objects = objects;
    this.endpoints = endpoints;
  }

  RoundBegun begin(RoundBeginning round) {
    var ref = round.test();
    var found = tests.find(ref);
    if (found.isEmpty() || found.get().hasEnded()) {
      return gone(round);
    }
    if (!runs.isCurrent(ref)) {
      throw IntegrationTests.superseded(ref);
    }
    var refusal = refusal(round, found.get());
    var plan = refusal.isPresent() ? Optional.<RoundPlan>empty() : Optional.of(plan(found.get()));
    var claimed =
        tests.claim(
            ref,
            test ->
                plan.isPresent() && test.isCancelled()
                    ? Optional.empty()
                    : Optional.of(status(round, plan, test)));
    return claimed.isPresent() ? new RoundBegun(plan, refusal) : notClaimed(round);
  }

  private static IntegrationTestStatus status(
      RoundBeginning round, Optional<RoundPlan> plan, IntegrationTest test) {
    var now = Optional.ofNullable(test.getStatus());
    return plan.map(it -> IntegrationTestStatuses.begun(round, it, now))
        .orElseGet(() -> IntegrationTestStatuses.claimed(round, now));
  }

  /** It was cancelled, deleted or ended since it was read. */
  private RoundBegun notClaimed(RoundBeginning round) {
    var isStopped =
        tests.find(round.test()).filter(test -> !test.hasEnded() && test.isCancelled()).isPresent();
    return isStopped
        ? new RoundBegun(Optional.empty(), Optional.of(cancelled(round)))
        : gone(round);
  }

  private static RoundBegun gone(RoundBeginning round) {
    return refused(
        "", "Ended", "%s has ended before, or is gone".formatted(round.test().workflowId()));
  }

  private static TestRefusal cancelled(RoundBeginning round) {
    return new TestRefusal(
        IntegrationTestStatus.CANCELLED,
        IntegrationTestStatus.CANCELLED,
        "it was cancelled before round %d had begun".formatted(round.round()));
  }

  private static RoundBegun refused(String phase, String reason, String message) {
    return new RoundBegun(Optional.empty(), Optional.of(new TestRefusal(phase, reason, message)));
  }

  private Optional<TestRefusal> refusal(RoundBeginning round, IntegrationTest test) {
    if (test.isCancelled()) {
      return Optional.of(cancelled(round));
    }
    var digest = SpecDigest.of(client, test.getSpec());
    if (round.spec().filter(spec -> !spec.equals(digest)).isPresent()) {
      return Optional.of(
          new TestRefusal(IntegrationTestStatus.FAILED, TestReasons.INVALID_SPEC, EDITED));
    }
    return round.round() == 1 ? rejection(round.test(), test) : Optional.empty();
  }

  private Optional<TestRefusal> rejection(TestRef ref, IntegrationTest test) {
    var size = new StatusBudget(client.getKubernetesSerialization()).size(test.getSpec());
    if (size > StatusBudget.LONGEST_SPEC) {
      return Optional.of(
          new TestRefusal(
              IntegrationTestStatus.REJECTED,
              TestReasons.INVALID_SPEC,
              "spec: %d KiB; a test has at most %d KiB"
                  .formatted(size / 1024, StatusBudget.LONGEST_SPEC / 1024)));
    }
    var account = objects.apply(ref, test);
    return account
        .accountProblem()
        .map(why -> new TestRefusal(IntegrationTestStatus.REJECTED, TestReasons.FORBIDDEN, why))
        .or(() -> invalid(new IntegrationTestProblems(test, account, endpoints).find()));
  }

  private static Optional<TestRefusal> invalid(List<String> problems) {
    return Optional.of(String.join("; ", problems))
        .filter(all -> !all.isEmpty())
        .map(all -> new TestRefusal(IntegrationTestStatus.REJECTED, TestReasons.INVALID_SPEC, all));
  }

  private RoundPlan plan(IntegrationTest test) {
    var spec = test.getSpec();
    var repeat = Optional.ofNullable(spec.repeat());
    return new RoundPlan(
        SpecDigest.of(client, spec),
        spec.isParallel(),
        spec.steps().stream().map(RoundBeginnings::step).toList(),
        finalChecks(spec),
        repeat.map(RoundBeginnings::rounds).orElse(Optional.of(1)),
        repeat.flatMap(RoundBeginnings::longest),
        cleanUp(test));
  }

  private static CleanUpPlan cleanUp(IntegrationTest test) {
    var spec = test.getSpec();
    var objects =
        spec.cleaning() == CleanUp.NEVER
            ? List.<ObjectName>of()
            : StepScene.manifests(test).stream()
                .map(it -> new ObjectName(it.apiVersion(), it.kind(), it.name()))
                .toList();
    return new CleanUpPlan(spec.serviceAccountName(), objects, spec.cleaning() == CleanUp.ALWAYS);
  }

  private static StepPlan step(TestStep step) {
    return new StepPlan(
        step.name(),
        SpecDurations.parse(step.timeout()).orElse(DEFAULT_TIMEOUT),
        step.ready() != null,
        !step.allChecks().isEmpty(),
        Optional.ofNullable(step.loadTest()));
  }

  /** They have no time limit but their own. */
  private static Optional<StepPlan> finalChecks(IntegrationTestSpec spec) {
    return spec.lastChecks().stream()
        .map(RoundBeginnings::longest)
        .max(Comparator.naturalOrder())
        .map(
            longest ->
                new StepPlan(
                    StepRef.FINAL_CHECKS,
                    longest.plus(FOR_OUTAGES),
                    false,
                    true,
                    Optional.empty()));
  }

  private static Duration longest(TestCheck check) {
    return SpecDurations.parse(check.deadline())
        .orElseThrow()
        .plus(SpecDurations.parse(check.duration()).orElseThrow());
  }

  private static Optional<Integer> rounds(Repeat repeat) {
    return Optional.ofNullable(repeat.count())
        .or(() -> repeatsUntilFailure(repeat) ? Optional.empty() : Optional.of(1));
  }

  private static Optional<Duration> longest(Repeat repeat) {
    return SpecDurations.parse(repeat.maxDuration())
        .or(
            () ->
                repeatsUntilFailure(repeat)
                    ? Optional.of(LONGEST_UNTIL_FAILURE)
                    : Optional.empty());
  }

  private static boolean repeatsUntilFailure(Repeat repeat) {
    return Boolean.TRUE.equals(repeat.untilFailure());
  }
}
