package io.middleware.engine.activities.testing;

import io.middleware.engine.api.testing.IntegrationTest;
import io.middleware.engine.api.testing.ObjectRef;
import io.middleware.engine.api.testing.TestCheck;
import io.middleware.engine.api.testing.TestStep;
import io.middleware.engine.planning.condition.ConditionProblems;
import io.middleware.engine.planning.condition.EndpointPolicy;
import io.middleware.engine.render.expression.ConditionScope;
import io.middleware.engine.workflows.testing.port.IntegrationTestActivities.StepRef;
import java.util.ArrayList;
import java.util.List;

/** Finds what is wrong in an IntegrationTest, all of it, each with its place. */
final class IntegrationTestProblems {
  private final IntegrationTest test;
  private final TestObjects objects;
  private final ConditionProblems conditions;
  private final List<String> problems = new ArrayList<>();

  IntegrationTestProblems(IntegrationTest test, TestObjects objects, EndpointPolicy endpoints) {
    this.test = test;
    this.objects = objects;
    this.conditions = new ConditionProblems(ConditionScope.INTEGRATION_TEST, endpoints);
  }

  List<String> find() {
    var steps = test.getSpec().steps();
    var applied = 0;
    for (var i = 0; i < steps.size(); i++) {
      applied += inStep("spec.steps[%d]".formatted(i), steps.get(i));
    }
    if (applied > Manifests.MOST_OBJECTS) {
      problems.add(
          "spec.steps: %d objects; a test has at most %d"
              .formatted(applied, Manifests.MOST_OBJECTS));
    }
    inChecks("spec.finalChecks", test.getSpec().lastChecks());
    return problems;
  }

  /** Returns how many objects it applies. */
  private int inStep(String place, TestStep step) {
    if (step.name().equals(StepRef.FINAL_CHECKS)) {
      problems.add("%s.name: no step can have the name %s".formatted(place, step.name()));
    }
    var manifests =
        Manifests.of(test.getMetadata().getNamespace(), place + ".apply", step.manifests());
    problems.addAll(manifests.problems());
    problems.addAll(objects.problems(manifests.objects()));
    for (var i = 0; i < step.deleted().size(); i++) {
      problems.addAll(
          objects.problems(
              List.of(manifest("%s.delete[%d]".formatted(place, i), step.deleted().get(i)))));
    }
    var ready = step.ready();
    if (ready != null) {
      conditions
          .ofTest(place + ".ready", ready.isOfAll(), ready.conditions())
          .forEach(problems::add);
    }
    inChecks(place + ".checks", step.allChecks());
    return manifests.objects().size();
  }

  private static Manifest manifest(String place, ObjectRef ref) {
    return Manifest.named(place, ref.apiVersion(), ref.kind(), ref.name());
  }

  private void inChecks(String place, List<TestCheck> checks) {
    for (var check : checks) {
      conditions
          .ofTest("%s[%s]".formatted(place, check.name()), check.isOfAll(), check.conditions())
          .forEach(problems::add);
    }
  }
}
