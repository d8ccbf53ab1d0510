package io.middleware.engine.activities.testing;

import io.middleware.engine.api.testing.IntegrationTest;
import io.middleware.engine.api.testing.TestStep;
import io.middleware.engine.planning.condition.ConditionSources;
import io.middleware.engine.planning.condition.HttpSources;
import io.middleware.engine.planning.condition.Verdict;
import io.middleware.engine.workflows.testing.port.IntegrationTestActivities.StepRef;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a step of a test works with.
 *
 * @param step empty: the final checks
 * @param all the manifests of all steps
 */
record StepScene(
    IntegrationTest test,
    StepRef ref,
    Optional<TestStep> step,
    List<Manifest> all,
    TestObjects objects,
    HttpSources http) {

  /** Those of the step; all of the test for the final checks. */
  List<Manifest> manifests() {
    return step.map(it -> manifests(test, it)).orElse(all);
  }

  /** One look at the conditions. */
  Verdict verdict(TestConditions conditions) {
    var live = new LiveObjects(objects, all);
    var state = state();
    var sources =
        new ConditionSources(
            Map.of(
                "namespace", () -> state.get("namespace"),
                "test", () -> state.get("test"),
                "round", () -> state.get("round"),
                "step", () -> state.get("step"),
                "objects", () -> live.existing(manifests())),
            expression -> Optional.empty(),
            live,
            state,
            http);
    return conditions.verdict(sources);
  }

  /** Where the test is. */
  private Map<String, Object> state() {
    return Map.of(
        "namespace", test.getMetadata().getNamespace(),
        "test", test.getMetadata().getName(),
        "round", (long) ref.round(),
        "step", ref.step());
  }

  /** The manifests of all steps of a test. */
  static List<Manifest> manifests(IntegrationTest test) {
    return test.getSpec().steps().stream().flatMap(step -> manifests(test, step).stream()).toList();
  }

  private static List<Manifest> manifests(IntegrationTest test, TestStep step) {
    var place = "spec.steps[%s].apply".formatted(step.name());
    return Manifests.of(test.getMetadata().getNamespace(), place, step.manifests()).objects();
  }
}
