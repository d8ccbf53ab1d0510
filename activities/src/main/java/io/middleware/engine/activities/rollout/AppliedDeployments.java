package io.middleware.engine.activities.rollout;

import static java.util.function.Function.identity;
import static java.util.stream.Collectors.toMap;

import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.AppKey;
import io.middleware.engine.cluster.ClusterView;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.Rollout;
import io.middleware.engine.workflows.port.GroupRef;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * The Deployments that a step waits for. Somebody may delete one meanwhile: then the step fails,
 * because only a new attempt of the task makes it again.
 */
final class AppliedDeployments {
  /** The view is milliseconds behind; after this time the API server is asked. */
  private static final Duration UNSEEN = Duration.ofSeconds(2);

  private final KubernetesClient engine;
  private final ClusterView view;
  private final GroupRef group;
  private final Map<String, Long> generations;
  private Optional<Long> unseenSince = Optional.empty();

  /**
   * Reads them from the API server, because the view may not show yet what was applied.
   *
   * @param engine client with the engine's own rights
   */
  AppliedDeployments(KubernetesClient engine, ClusterView view, GroupRef group) {
    this.engine = engine;
    this.view = view;
    this.group = group;
    this.generations = generations();
  }

  /**
   * Why not all are rolled out; empty when they are.
   *
   * @throws io.temporal.failure.ApplicationFailure of kind CONFLICT when one is deleted
   */
  Optional<String> missing() {
    var observed =
        view.deployments(AppKey.of(group.task().change())).stream()
            .collect(toMap(it -> it.getMetadata().getName(), identity()));
    if (observed.keySet().containsAll(generations.keySet())) {
      unseenSince = Optional.empty();
    } else {
      checkUnseen();
    }
    return Rollout.firstFew(
        generations.entrySet().stream()
            .flatMap(
                applied ->
                    Optional.ofNullable(observed.get(applied.getKey()))
                        .map(deployment -> Rollout.missing(deployment, applied.getValue()))
                        .orElseGet(
                            () ->
                                Optional.of(
                                    "Deployment %s: not observed yet".formatted(applied.getKey())))
                        .stream())
            .toList());
  }

  private void checkUnseen() {
    var since = unseenSince.orElseGet(System::nanoTime);
    unseenSince = Optional.of(since);
    if (System.nanoTime() - since > UNSEEN.toNanos()) {
      var there = generations().keySet();
      generations.keySet().stream()
          .filter(name -> !there.contains(name))
          .findFirst()
          .ifPresent(AppliedDeployments::failDeleted);
      unseenSince = Optional.empty();
    }
  }

  private static void failDeleted(String name) {
    throw Faults.of(
        FaultKind.CONFLICT,
        "Deployment %s was deleted while the task was working on it; the next attempt creates it again"
            .formatted(name));
  }

  private Map<String, Long> generations() {
    var task = group.task();
    var selector = Labels.selector(task.change().app(), task.component(), group.group());
    var name = Labels.groupName(task.change().app(), task.component(), group.group());
    return Faults.list(
            "Deployments of group " + group.group(),
            engine
                .resources(Deployment.class)
                .inNamespace(task.change().namespace())
                .withLabels(selector))
        .stream()
        .filter(deployment -> ClusterView.isOf(name, deployment))
        .collect(toMap(d -> d.getMetadata().getName(), d -> d.getMetadata().getGeneration()));
  }
}
