package io.middleware.engine.activities.testing.load;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.middleware.engine.activities.testing.LiveObjects;
import io.middleware.engine.activities.testing.Manifest;
import io.middleware.engine.activities.testing.Manifests;
import io.middleware.engine.activities.testing.TestObjects;
import io.middleware.engine.api.testing.LoadTest;
import io.middleware.engine.api.testing.LoadTestSpec;
import io.middleware.engine.planning.condition.ConditionSources;
import io.middleware.engine.planning.condition.HttpSources;
import io.middleware.engine.render.expression.ObjectSource;
import io.middleware.engine.workflows.testing.port.LoadRef;
import io.middleware.engine.workflows.testing.port.LoadTestActivities.LoadTargetFound;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What a load works with.
 *
 * @param objects read and written as the test's service account
 */
record LoadSite(LoadRef load, LoadTest test, TestObjects objects, HttpSources http) {

  LoadTestSpec spec() {
    return test.getSpec();
  }

  /** The objects of the workload that can be applied, in their order. */
  List<Manifest> workload() {
    return Manifests.of(load.test().namespace(), "spec.workload", spec().workload()).objects();
  }

  /** The target as it is now; empty when it is gone. */
  Optional<GenericKubernetesResource> read(LoadTargetFound target) {
    return objects.find(target.apiVersion(), target.kind(), target.name());
  }

  /**
   * What expressions read, by one look.
   *
   * @param target as it was read
   */
  ConditionSources sources(GenericKubernetesResource target) {
    var workload = workload();
    var live = new LiveObjects(objects, workload);
    Map<String, Supplier<Object>> variables =
        Map.of(
            "namespace", () -> load.test().namespace(),
            "test", () -> load.test().name(),
            "target", () -> objects.tree(target),
            "objects", () -> live.existing(workload));
    return new ConditionSources(
        variables, expression -> Optional.empty(), live, state(target), http);
  }

  private Map<String, Object> state(GenericKubernetesResource target) {
    return Map.of(
        "namespace", load.test().namespace(),
        "test", load.test().name(),
        "target", target.getMetadata().getName());
  }

  /** The variables of an expression whose value is injected. */
  Map<String, Object> injected(GenericKubernetesResource target) {
    return Map.of(
        "namespace", load.test().namespace(),
        "test", load.test().name(),
        "target", objects.tree(target));
  }

  ObjectSource live() {
    return new LiveObjects(objects, workload());
  }
}
