package io.middleware.engine.activities.testing;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.middleware.engine.api.testing.ObjectRef;
import io.middleware.engine.api.testing.TestStep;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Whether the controllers have seen what a step has applied, and what it has deleted is gone.
 *
 * <p>An object has converged when its {@code status.observedGeneration} is that of the object.
 * Where a kind has no such field, there is nothing to wait for.
 */
public final class Convergence {
  private static final int MOST_SHOWN = 8;

  /** Kinds whose controllers write the field, so that its absence means that they have not yet. */
  private static final Set<String> OBSERVED =
      Set.of(
          "middleware.io/v1 App",
          "apps/v1 StatefulSet",
          "apps/v1 Deployment",
          "apps/v1 DaemonSet",
          "apps/v1 ReplicaSet");

  private final TestObjects objects;

  public Convergence(TestObjects objects) {
    this.objects = objects;
  }

  /** What has not converged yet; empty when all has. */
  public Optional<String> missing(List<Manifest> applied, Optional<TestStep> step) {
    var deleted = step.map(TestStep::deleted).orElse(List.of());
    var missing =
        Stream.concat(
                applied.stream()
                    .filter(manifest -> deleted.stream().noneMatch(ref -> isOf(ref, manifest)))
                    .flatMap(manifest -> unseen(manifest).stream()),
                deleted.stream().flatMap(ref -> existing(ref).stream()))
            .toList();
    return missing.isEmpty() ? Optional.empty() : Optional.of(shown(missing));
  }

  private static boolean isOf(ObjectRef ref, Manifest manifest) {
    return ref.apiVersion().equals(manifest.apiVersion())
        && ref.kind().equals(manifest.kind())
        && ref.name().equals(manifest.name());
  }

  private Optional<String> unseen(Manifest manifest) {
    var found = objects.find(manifest);
    if (found.isEmpty()) {
      return Optional.of(manifest + " does not exist");
    }
    return unseen(manifest, found.get());
  }

  private static Optional<String> unseen(Manifest manifest, GenericKubernetesResource object) {
    var generation = object.getMetadata().getGeneration();
    if (generation == null) {
      return Optional.empty();
    }
    var observed = observed(object);
    if (observed.isEmpty()) {
      return OBSERVED.contains(manifest.apiVersion() + " " + manifest.kind())
          ? Optional.of("%s: no observedGeneration yet".formatted(manifest))
          : Optional.empty();
    }
    return observed.get() >= generation
        ? Optional.empty()
        : Optional.of(
            "%s: observedGeneration %d, generation %d"
                .formatted(manifest, observed.get(), generation));
  }

  private static Optional<Long> observed(GenericKubernetesResource object) {
    return object.getAdditionalProperties().get("status") instanceof Map<?, ?> status
            && status.get("observedGeneration") instanceof Number number
        ? Optional.of(number.longValue())
        : Optional.empty();
  }

  private Optional<String> existing(ObjectRef ref) {
    return objects
        .find(ref.apiVersion(), ref.kind(), ref.name())
        .map(
            object ->
                object.isMarkedForDeletion()
                    ? "%s is being deleted".formatted(ref)
                    : "%s exists again".formatted(ref));
  }

  private static String shown(List<String> missing) {
    var shown = String.join("; ", missing.subList(0, Math.min(MOST_SHOWN, missing.size())));
    return missing.size() <= MOST_SHOWN
        ? shown
        : "%s; and %d more".formatted(shown, missing.size() - MOST_SHOWN);
  }
}
