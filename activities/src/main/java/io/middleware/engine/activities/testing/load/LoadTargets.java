package io.middleware.engine.activities.testing.load;

import static java.util.stream.Collectors.joining;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.middleware.engine.activities.testing.Convergence;
import io.middleware.engine.activities.testing.Manifest;
import io.middleware.engine.activities.testing.TestConditions;
import io.middleware.engine.api.testing.LoadTarget;
import io.middleware.engine.planning.condition.Verdict;
import io.middleware.engine.render.expression.ConditionScope;
import io.middleware.engine.workflows.testing.port.LoadTestActivities.LoadTargetFound;
import io.middleware.engine.workflows.testing.port.TestReasons;
import io.temporal.failure.ApplicationFailure;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Looks for the target of a load, and whether it is ready. */
final class LoadTargets {
  private final LoadSite site;
  private final LoadTarget wanted;
  private final Optional<TestConditions> ready;
  private Optional<LoadTargetFound> found = Optional.empty();

  LoadTargets(LoadSite site) {
    this.site = site;
    this.wanted = site.spec().target();
    this.ready =
        Optional.ofNullable(site.spec().ready())
            .map(it -> TestConditions.of(ConditionScope.LOAD_TEST, it.isOfAll(), it.conditions()));
  }

  /** The target that the last look has found ready; empty when it has not. */
  Optional<LoadTargetFound> found() {
    return found;
  }

  /**
   * Looks once.
   *
   * @return what is missing, for people; empty when the target is ready
   * @throws ApplicationFailure with type AMBIGUOUS_TARGET when several objects fit
   */
  Optional<String> missing() {
    var target = target();
    var missing =
        target.map(this::notReady).orElseGet(() -> Optional.of(description() + " does not exist"));
    found = missing.isEmpty() ? target.map(this::reference) : Optional.empty();
    return missing;
  }

  private Optional<GenericKubernetesResource> target() {
    if (wanted.name() != null) {
      return site.objects().find(wanted.apiVersion(), wanted.kind(), wanted.name());
    }
    var fitting =
        site.objects().list(wanted.apiVersion(), wanted.kind(), given(wanted.labels())).stream()
            .filter(this::hasAnnotations)
            .toList();
    if (fitting.size() > 1) {
      throw ApplicationFailure.newNonRetryableFailure(
          "%d objects are %s, not one: %s".formatted(fitting.size(), description(), names(fitting)),
          TestReasons.AMBIGUOUS_TARGET);
    }
    return fitting.stream().findFirst();
  }

  private boolean hasAnnotations(GenericKubernetesResource object) {
    var has = given(object.getMetadata().getAnnotations());
    return has.entrySet().containsAll(given(wanted.annotations()).entrySet());
  }

  private static Map<String, String> given(Map<String, String> pairs) {
    return Objects.requireNonNullElse(pairs, Map.of());
  }

  private static String names(List<GenericKubernetesResource> objects) {
    return objects.stream()
        .map(object -> object.getMetadata().getName())
        .sorted()
        .limit(Verdict.MOST_SHOWN)
        .collect(joining(", "));
  }

  /** For example {@code App cache}, or {@code App with labels {tier=gold}}. */
  private String description() {
    if (wanted.name() != null) {
      return wanted.kind() + " " + wanted.name();
    }
    return wanted.kind()
        + " with"
        + (wanted.labels() == null ? "" : " labels " + wanted.labels())
        + (wanted.labels() == null || wanted.annotations() == null ? "" : " and")
        + (wanted.annotations() == null ? "" : " annotations " + wanted.annotations());
  }

  private Optional<String> notReady(GenericKubernetesResource target) {
    var name = reference(target).toString();
    if (target.isMarkedForDeletion()) {
      return Optional.of(name + " is being deleted");
    }
    return ready.isPresent()
        ? notReady(name, ready.get().verdict(site.sources(target)))
        : new Convergence(site.objects()).missing(List.of(manifest(target)), Optional.empty());
  }

  private static Optional<String> notReady(String name, Verdict verdict) {
    return verdict instanceof Verdict.Holds
        ? Optional.empty()
        : Optional.of("%s is not ready: %s".formatted(name, verdict.message()));
  }

  private Manifest manifest(GenericKubernetesResource target) {
    return KubernetesLoadTestActivities.manifest(
        "spec.target", wanted.apiVersion(), wanted.kind(), target.getMetadata().getName());
  }

  private LoadTargetFound reference(GenericKubernetesResource target) {
    return new LoadTargetFound(wanted.apiVersion(), wanted.kind(), target.getMetadata().getName());
  }
}
