package io.middleware.engine.activities.testing.load;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.middleware.engine.activities.testing.Manifest;
import io.middleware.engine.activities.testing.PodTemplates;
import io.middleware.engine.api.testing.CleanUp;
import io.middleware.engine.render.expression.ConditionExpression;
import io.middleware.engine.render.expression.ConditionExpression.UndecidedException;
import io.middleware.engine.render.expression.ConditionScope;
import io.middleware.engine.workflows.testing.port.LoadTestActivities.LoadTargetFound;
import io.middleware.engine.workflows.testing.port.TestReasons;
import io.temporal.failure.ApplicationFailure;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Creates the workload of a load, with values of the target on its pods. Its objects have the names
 * that the LoadTest gives them.
 */
final class Workload {
  /** On an object of a workload: whose it is, for the next run of the same test. */
  static final String LOAD_OF = "test.middleware.io/load-of";

  private static final String TTL = "ttlSecondsAfterFinished";
  private static final long SECONDS_KEPT = 3600;

  private final LoadSite site;

  Workload(LoadSite site) {
    this.site = site;
  }

  /**
   * Creates what is not there yet.
   *
   * @return what it waits for, for people; empty when all is there
   * @throws ApplicationFailure with type APPLY_REFUSED when somebody else has an object of the name
   */
  Optional<String> create(LoadTargetFound target) {
    var read = site.read(target);
    if (read.isEmpty()) {
      return Optional.of(target + " is gone");
    }
    Map<String, String> values = new TreeMap<>();
    var missing = find(values, read.get());
    return missing.isPresent() ? missing : create(values);
  }

  private Optional<String> create(Map<String, String> values) {
    for (var manifest : site.workload()) {
      var there = site.objects().find(manifest);
      if (there.isEmpty()) {
        site.objects().apply(prepared(manifest, values));
      } else if (!site.objects().hasCreated(there.get())) {
        return Optional.of(removed(manifest, there.get()));
      }
    }
    return Optional.empty();
  }

  /** An earlier run of this test may have been told to leave it, or was lost. */
  private String removed(Manifest manifest, GenericKubernetesResource left) {
    if (!isOfEarlierRun(left)) {
      throw ApplicationFailure.newNonRetryableFailure(
          "%s exists already, and is not of this test: rename it in %s, or delete it"
              .formatted(manifest, manifest.place()),
          TestReasons.APPLY_REFUSED);
    }
    if (!left.isMarkedForDeletion()) {
      site.objects().delete(left);
    }
    return "%s of an earlier run is being deleted".formatted(manifest);
  }

  private boolean isOfEarlierRun(HasMetadata left) {
    return Optional.ofNullable(left.getMetadata().getAnnotations())
        .map(annotations -> annotations.get(LOAD_OF))
        .filter(owner()::equals)
        .isPresent();
  }

  private String owner() {
    var test = site.load().test().name();
    return site.load().step().map(step -> "%s in %s".formatted(test, step)).orElse(test);
  }

  /** Returns which value the target does not have yet, for people. */
  private Optional<String> find(Map<String, String> values, GenericKubernetesResource target) {
    var variables = site.injected(target);
    for (var injection : site.spec().injections()) {
      var expression = ConditionExpression.of(ConditionScope.INJECTION, injection.cel());
      try {
        values.put(injection.annotation(), expression.value(variables, site.live()));
      } catch (UndecidedException e) {
        return Optional.of("value %s: %s".formatted(injection.name(), e.getMessage()));
      }
    }
    return Optional.empty();
  }

  private Manifest prepared(Manifest manifest, Map<String, String> values) {
    var annotated = PodTemplates.annotated(manifest, values);
    var tree = new TreeMap<>(WorkloadJobs.isJob(manifest) ? kept(annotated) : annotated.tree());
    var metadata = PodTemplates.withAnnotations(tree.get("metadata"), Map.of(LOAD_OF, owner()));
    if (isOwned()) {
      metadata.put("ownerReferences", List.of(reference()));
    }
    tree.put("metadata", metadata);
    return new Manifest(manifest.place(), tree);
  }

  /** A Job must not be removed before its result is read, also while no worker is there. */
  private static Map<String, Object> kept(Manifest job) {
    if (!(job.tree().get("spec") instanceof Map<?, ?> spec)
        || !(spec.get(TTL) instanceof Number seconds)
        || seconds.longValue() >= SECONDS_KEPT) {
      return job.tree();
    }
    Map<Object, Object> longer = new LinkedHashMap<>(spec);
    longer.put(TTL, SECONDS_KEPT);
    var tree = new LinkedHashMap<>(job.tree());
    tree.put("spec", longer);
    return tree;
  }

  /** What a lost run leaves goes with its LoadTest. */
  private boolean isOwned() {
    return site.load().hasStatus() && site.spec().cleaning() == CleanUp.ALWAYS;
  }

  private Map<String, Object> reference() {
    var test = site.test();
    return Map.of(
        "apiVersion", test.getApiVersion(),
        "kind", test.getKind(),
        "name", test.getMetadata().getName(),
        "uid", test.getMetadata().getUid());
  }
}
