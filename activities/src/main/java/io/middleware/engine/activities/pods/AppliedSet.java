package io.middleware.engine.activities.pods;

import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.activities.kubernetes.AppKey;
import io.middleware.engine.activities.kubernetes.ClusterView;
import io.middleware.engine.activities.kubernetes.Faults;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.workflows.port.AppliedStatefulSet;
import java.time.Duration;
import java.util.Optional;

/**
 * The StatefulSet that a step works on. Somebody may delete it meanwhile, or its Group or
 * Component: then the step fails, because only a new attempt of the task makes it again.
 */
final class AppliedSet {
  /** The view is milliseconds behind; after this time the API server is asked. */
  private static final Duration UNSEEN = Duration.ofSeconds(2);

  private final KubernetesClient engine;
  private final ClusterView view;
  private final AppKey key;
  private final AppliedStatefulSet applied;
  private Optional<Long> unseenSince = Optional.empty();

  /**
   * @param engine client with the engine's own rights
   */
  AppliedSet(KubernetesClient engine, ClusterView view, AppKey key, AppliedStatefulSet applied) {
    this.engine = engine;
    this.view = view;
    this.key = key;
    this.applied = applied;
  }

  /** Why its pods cannot be created. */
  CreationRefusals refusals() {
    return new CreationEvents(engine);
  }

  Optional<StatefulSet> observed() {
    return view.statefulSet(key, applied);
  }

  /**
   * For people: that the view does not show it.
   *
   * @throws io.temporal.failure.ApplicationFailure of kind CONFLICT when it is deleted
   */
  String missing() {
    var since = unseenSince.orElseGet(System::nanoTime);
    unseenSince = Optional.of(since);
    if (System.nanoTime() - since > UNSEEN.toNanos()) {
      requireThere();
      unseenSince = Optional.empty();
    }
    return "StatefulSet %s: does not exist".formatted(applied.name());
  }

  /** Uses a list, which the engine may read. */
  private void requireThere() {
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
    if (found.stream().noneMatch(set -> applied.uid().equals(set.getMetadata().getUid()))) {
      throw Faults.of(
          FaultKind.CONFLICT,
          "StatefulSet %s was deleted while the task was working on it; the next attempt creates it again"
              .formatted(applied.name()));
    }
  }
}
