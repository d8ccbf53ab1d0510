package io.middleware.engine.activities.testing;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.api.testing.IntegrationTest;
import io.middleware.engine.api.testing.IntegrationTestStatus;
import io.middleware.engine.api.testing.TestCheck;
import io.middleware.engine.api.testing.TestStep;
import io.middleware.engine.cluster.Heartbeat;
import io.middleware.engine.planning.condition.HttpSources;
import io.middleware.engine.process.pods.ObjectEvents;
import io.middleware.engine.render.expression.ConditionScope;
import io.middleware.engine.workflows.testing.port.IntegrationTestActivities;
import io.middleware.engine.workflows.testing.port.TestReasons;
import io.middleware.engine.workflows.testing.port.TestRef;
import io.temporal.failure.ApplicationFailure;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** {@inheritDoc} */
public final class KubernetesIntegrationTestActivities implements IntegrationTestActivities {
  private final Context context;
  private final IntegrationTests tests;
  private final RoundBeginnings beginnings;
  private final ObjectEvents events;

  /**
   * What it works with.
   *
   * @param client with the engine's own rights
   * @param http what conditions ask over HTTP
   */
  public record Context(
      KubernetesClient client,
      TestAccounts accounts,
      TestRunLookup runs,
      Heartbeat heartbeat,
      ChecksMemory memory,
      HttpSources http,
      InstantSource clock) {}

  public KubernetesIntegrationTestActivities(Context context) {
    this.context = context;
    this.events = new ObjectEvents(context.client());
    this.tests = new IntegrationTests(context.client(), context.runs());
    this.beginnings =
        new RoundBeginnings(
            context.client(), tests, context.runs(), this::objects, context.http().policy());
  }

  @Override
  public RoundBegun beginRound(RoundBeginning round) {
    return beginnings.begin(round);
  }

  @Override
  public void applyStep(StepRef ref) {
    var scene = scene(ref);
    var report = report(ref, "Applying");
    var wait = wait(ref, report);
    report.begin();
    for (var manifest : scene.manifests()) {
      context.heartbeat().send("apply " + manifest);
      require(
          "applied",
          wait.until(
              () -> {
                tests.require(ref.test());
                scene.objects().apply(manifest);
                return Optional.empty();
              }));
    }
    for (var deleted : scene.step().map(TestStep::deleted).orElse(List.of())) {
      require(
          "deleted",
          wait.until(
              () -> {
                tests.require(ref.test());
                scene
                    .objects()
                    .find(deleted.apiVersion(), deleted.kind(), deleted.name())
                    .filter(object -> !object.isMarkedForDeletion())
                    .ifPresent(scene.objects()::delete);
                return Optional.empty();
              }));
    }
  }

  @Override
  public void awaitConverged(StepRef ref) {
    var scene = scene(ref);
    var convergence = new Convergence(scene.objects());
    await(
        "Converging",
        "converged",
        scene,
        () -> convergence.missing(scene.manifests(), scene.step()));
  }

  @Override
  public void awaitReady(StepRef ref) {
    var scene = scene(ref);
    var ready = scene.step().map(TestStep::ready).orElseThrow();
    var conditions =
        TestConditions.of(ConditionScope.INTEGRATION_TEST, ready.isOfAll(), ready.conditions());
    await("Readying", "ready", scene, () -> scene.verdict(conditions).missing());
  }

  private void await(
      String phase, String goal, StepScene scene, Supplier<Optional<String>> missing) {
    var ref = scene.ref();
    var report = report(ref, phase);
    report.begin();
    var trouble = new StepTrouble(scene, events);
    require(goal, wait(ref, report).until(() -> trouble.with(missing)));
  }

  @Override
  public void checkStep(StepRef ref) {
    var scene = scene(ref);
    var memory = context.memory();
    var checks = new StepChecks(checks(scene), context.clock(), memory.earlier());
    memory.remember(checks.seen());
    var report = report(ref, "Checking");
    var trouble = new StepTrouble(scene, events);
    report.checked("", checks.results());
    try {
      var missing =
          new TestWait(
                  message -> memory.remember(checks.seen()),
                  context.clock(),
                  ref.deadline(),
                  message -> report.checked(message, checks.results()))
              .until(() -> trouble.with(() -> checks.look(scene::verdict)));
      require("checked", missing);
    } finally {
      report.checked("", checks.results());
    }
  }

  private static List<TestCheck> checks(StepScene scene) {
    return scene
        .step()
        .map(TestStep::allChecks)
        .orElseGet(() -> scene.test().getSpec().lastChecks());
  }

  @Override
  public void reportRound(RoundReport report) {
    var written =
        tests.write(report.test(), now -> IntegrationTestStatuses.reported(now, report.steps()));
    if (written.isEmpty()) {
      throw IntegrationTests.superseded(report.test());
    }
  }

  @Override
  public List<String> cleanUp(CleanUpRequest request) {
    var plan = request.plan();
    var isKept = IntegrationTestStatus.FAILED.equals(request.phase()) && !plan.afterFailure();
    if (isKept || tests.findOfRun(request.test()).isEmpty()) {
      return List.of();
    }
    var deadline = context.clock().instant().plus(request.longest());
    var wait = new TestWait(context.heartbeat(), context.clock(), deadline, message -> {});
    var manifests =
        plan.objects().stream()
            .map(it -> Manifest.named("clean-up", it.apiVersion(), it.kind(), it.name()))
            .toList();
    return new TestCleanUp(objects(request.test(), plan.account()), wait).run(manifests);
  }

  @Override
  public void endTest(TestEnd end) {
    tests.write(
        end.test(), now -> IntegrationTestStatuses.ended(now, end, context.clock().instant()));
  }

  private StepScene scene(StepRef ref) {
    var test = tests.require(ref.test());
    if (!SpecDigest.of(context.client(), test.getSpec()).equals(ref.spec())) {
      throw ApplicationFailure.newNonRetryableFailure(
          RoundBeginnings.EDITED, TestReasons.INVALID_SPEC);
    }
    var step =
        test.getSpec().steps().stream().filter(it -> it.name().equals(ref.step())).findFirst();
    return new StepScene(
        test, ref, step, StepScene.manifests(test), objects(ref.test(), test), context.http());
  }

  private TestObjects objects(TestRef ref, IntegrationTest test) {
    return objects(ref, test.getSpec().serviceAccountName());
  }

  private TestObjects objects(TestRef ref, String account) {
    return context.accounts().objects(ref.namespace(), account, ref.uid());
  }

  private StepReport report(StepRef ref, String phase) {
    return new StepReport(tests, ref, phase, context.clock());
  }

  private TestWait wait(StepRef ref, StepReport report) {
    return new TestWait(context.heartbeat(), context.clock(), ref.deadline(), report::missing);
  }

  private static void require(String goal, Optional<String> missing) {
    if (missing.isPresent()) {
      throw ApplicationFailure.newNonRetryableFailure(
          "not %s in time: %s".formatted(goal, missing.get()), TestReasons.TIMED_OUT);
    }
  }
}
