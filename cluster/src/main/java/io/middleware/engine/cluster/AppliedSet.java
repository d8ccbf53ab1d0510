package io.middleware.engine.cluster;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.workflows.port.AppliedStatefulSet;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * The StatefulSet that a step works on. Somebody may delete it meanwhile, or its Group or
 * Component: then the step fails, because only a new attempt of the task makes it again.
 */
public final class AppliedSet {
  /** The view is milliseconds behind; after this time the API server is asked. */
  private static final Duration UNSEEN = Duration.ofSeconds(2);

  private final ClusterView view;
  private final AppKey key;
  private final AppliedStatefulSet applied;
  private final BooleanSupplier isThere;
  private Optional<Long> unseenSince = Optional.empty();

  /**
   * @param isThere asks the API server
   */
  public AppliedSet(
      ClusterView view, AppKey key, AppliedStatefulSet applied, BooleanSupplier isThere) {
    this.view = view;
    this.key = key;
    this.applied = applied;
    this.isThere = isThere;
  }

  /**
   * @param engine client with the engine's own rights
   */
  public AppliedSet(
      KubernetesClient engine, ClusterView view, AppKey key, AppliedStatefulSet applied) {
    this(view, key, applied, () -> isThere(engine, key, applied));
  }

  public Optional<StatefulSet> observed() {
    return view.statefulSet(key, applied);
  }

  /**
   * For people: that the view does not show it.
   *
   * @throws io.temporal.failure.ApplicationFailure of kind CONFLICT when it is deleted
   */
  public String missing() {
    var since = unseenSince.orElseGet(System::nanoTime);
    unseenSince = Optional.of(since);
    if (System.nanoTime() - since > UNSEEN.toNanos()) {
      requireThere();
      unseenSince = Optional.empty();
    }
    return "StatefulSet %s: does not exist".formatted(applied.name());
  }

  private void requireThere() {
    if (!isThere.getAsBoolean()) {
      throw Faults.of(
          FaultKind.CONFLICT,
          "StatefulSet %s was deleted while the task was working on it; the next attempt creates it again"
              .formatted(applied.name()));
    }
  }

  /** Asks the API server, by a list, which the engine may read. */
  public static boolean isThere(KubernetesClient engine, AppKey key, AppliedStatefulSet applied) {
    var found =
        Faults.attempt(
            "look up StatefulSet %s/%s".formatted(key.namespace(), applied.name()),
            () ->
                engine
                    .resources(StatefulSet.class)
                    .inNamespace(key.namespace())
                    .withField("metadata.name", applied.name())
                    .list()
                    .getItems());
    return found.stream().anyMatch(set -> applied.uid().equals(set.getMetadata().getUid()));
  }

  /** For people: what a StatefulSet that is being deleted waits for. */
  public static String beingDeleted(HasMetadata set) {
    var finalizers = String.join(", ", set.getMetadata().getFinalizers());
    return "StatefulSet %s: is being deleted%s"
        .formatted(
            set.getMetadata().getName(),
            finalizers.isEmpty() ? "" : ", held by finalizer " + finalizers);
  }
}
