package io.middleware.engine.activities.pods;

import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Labels;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.cluster.VolumeState;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Volume claims that somebody has deleted while a pod uses them. Such a claim goes, with its data,
 * as soon as its pod does; a deletion cannot be taken back. So no step takes the pod away, until
 * the user has saved the data and deletes the pod, or accepts the loss ({@link
 * Labels#ACCEPT_DATA_LOSS}).
 */
public final class TerminatingClaims {
  /** From so many claims on, all of the namespace are read at once. */
  private static final int MANY = 4;

  private final KubernetesClient engine;

  /**
   * @param engine client with the engine's own rights, which may list claims
   */
  public TerminatingClaims(KubernetesClient engine) {
    this.engine = engine;
  }

  /**
   * Why one of these pods must stay, as the API server has its claims at this moment.
   *
   * @param app as it is now
   * @param generation that the step carries out
   * @return for people, beginning with the pod; empty when they may go
   */
  public Optional<String> keep(App app, long generation, List<PodState> pods) {
    if (app.acceptsDataLoss(generation) || app.isDeletedByForce()) {
      return Optional.empty();
    }
    var going = of(app.getMetadata().getNamespace(), pods);
    return pods.stream()
        .flatMap(
            pod ->
                pod.claims().stream()
                    .filter(going::contains)
                    .map(claim -> message(pod, claim, generation)))
        .findFirst();
  }

  /** The names of those that these pods use, as the API server has them at this moment. */
  public List<String> of(String namespace, List<PodState> pods) {
    var mounted = pods.stream().flatMap(pod -> pod.claims().stream()).distinct().toList();
    var found =
        mounted.isEmpty() ? Stream.<PersistentVolumeClaim>empty() : claims(namespace, mounted);
    return found
        .map(VolumeState::new)
        .filter(VolumeState::isTerminating)
        .map(VolumeState::name)
        .filter(mounted::contains)
        .toList();
  }

  private Stream<PersistentVolumeClaim> claims(String namespace, List<String> names) {
    var all = engine.resources(PersistentVolumeClaim.class).inNamespace(namespace);
    return names.size() < MANY
        ? names.stream()
            .flatMap(
                name ->
                    Faults.list("volume claim " + name, all.withField("metadata.name", name))
                        .stream())
        : Faults.list("the volume claims of namespace " + namespace, all).stream();
  }

  private static String message(PodState pod, String claim, long generation) {
    return "pod %s: its volume claim %s is being deleted and goes, with its data, as soon as the pod does; save the data, then delete the pod yourself, or set annotation %s: \"%d\" on the App"
        .formatted(pod.name(), claim, Labels.ACCEPT_DATA_LOSS, generation);
  }
}
