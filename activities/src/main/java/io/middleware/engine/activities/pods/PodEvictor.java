package io.middleware.engine.activities.pods;

import io.fabric8.kubernetes.api.model.DeleteOptions;
import io.fabric8.kubernetes.api.model.DeleteOptionsBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.policy.v1.EvictionBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.middleware.engine.api.App;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.ImpersonatedClients;
import io.middleware.engine.cluster.PodState;
import java.util.List;
import java.util.Optional;

/**
 * Removes exactly one pod, with the rights of the App's service account: a ready pod by eviction,
 * so that disruption budgets hold; a broken one by deletion, because a budget would keep it for
 * ever.
 */
public final class PodEvictor {
  private final KubernetesClient engine;
  private final ImpersonatedClients writers;
  private final StrandedPods stranded;
  private final TerminatingClaims claims;

  /**
   * @param engine client with the engine's own rights, for reading
   */
  public PodEvictor(KubernetesClient engine, ImpersonatedClients writers) {
    this.engine = engine;
    this.writers = writers;
    this.stranded = new StrandedPods(engine);
    this.claims = new TerminatingClaims(engine);
  }

  /** The API server's answer to a removal. */
  public sealed interface RemovalAnswer {
    /** The pod is being deleted, or is gone. */
    record RemovalAccepted() implements RemovalAnswer {}

    /** Not now: a budget refuses, with the API server's reason, or the pod could not come back. */
    record RemovalRefused(String why) implements RemovalAnswer {}

    /** The engine leaves the pod alone, because its data would go with it. */
    record PodKept(String why) implements RemovalAnswer {}
  }

  /**
   * The pod of this name as the API server has it; empty when there is none. Uses a list, which the
   * engine may read.
   */
  public Optional<PodState> find(String namespace, String name) {
    var pods =
        Faults.attempt(
            "look up pod %s/%s".formatted(namespace, name),
            () ->
                engine
                    .resources(Pod.class)
                    .inNamespace(namespace)
                    .withField("metadata.name", name)
                    .list()
                    .getItems());
    return pods.stream().findFirst().map(PodState::new);
  }

  /**
   * Evicts the pod if it is ready, and deletes it otherwise.
   *
   * @param pod as last observed: the eviction of a pod with another uid is refused, but it still
   *     uses up the disruption budget
   */
  public RemovalAnswer remove(App app, PodState pod) {
    return remove(app, pod, false);
  }

  /** The claims whose pods must stay. */
  public TerminatingClaims claims() {
    return claims;
  }

  /** Why the pod's data would go with it, for people; empty when they would not. */
  public Optional<String> keep(App app, long generation, PodState pod) {
    return claims.keep(app, generation, List.of(pod));
  }

  /**
   * As {@link #remove(App, PodState)}, unless the pod's data would go with it.
   *
   * @param generation that the step carries out
   */
  public RemovalAnswer removeUnlessKept(App app, long generation, PodState pod) {
    return keep(app, generation, pod)
        .<RemovalAnswer>map(RemovalAnswer.PodKept::new)
        .orElseGet(() -> remove(app, pod));
  }

  /**
   * As {@link #removeUnlessKept}, for a pod that is to come back with its volumes: a ready one
   * stays also if it could not come back.
   */
  RemovalAnswer replace(App app, long generation, PodState pod) {
    return stays(app, generation, pod).orElseGet(() -> remove(app, pod));
  }

  /** The answer that {@link #replace} would give; nothing happens to the pod. */
  RemovalAnswer askToReplace(App app, long generation, PodState pod) {
    return stays(app, generation, pod).orElseGet(() -> ask(app, pod));
  }

  private Optional<RemovalAnswer> stays(App app, long generation, PodState pod) {
    return Optional.of(pod)
        .filter(PodState::isReady)
        .flatMap(stranded::why)
        .<RemovalAnswer>map(RemovalAnswer.RemovalRefused::new)
        .or(() -> keep(app, generation, pod).map(RemovalAnswer.PodKept::new));
  }

  /** Whether the pod would be removed at this moment; nothing happens to it. */
  RemovalAnswer ask(App app, PodState pod) {
    return pod.isReady() ? remove(app, pod, true) : new RemovalAnswer.RemovalAccepted();
  }

  private RemovalAnswer remove(App app, PodState pod, boolean dryRun) {
    var writer = writers.of(app);
    try {
      if (pod.isReady()) {
        evict(writer, pod, dryRun);
      } else {
        writer.raw(path(pod), "DELETE", onlyThisUid(pod));
      }
      return new RemovalAnswer.RemovalAccepted();
    } catch (KubernetesClientException e) {
      if (hasSeveralBudgets(e)) {
        return new RemovalAnswer.RemovalRefused(
            Faults.messageWithCauses(e)
                + " Of the PodDisruptionBudgets that select this pod, delete all but one.");
      }
      return switch (e.getCode()) {
        case 404 -> new RemovalAnswer.RemovalAccepted();
        case 409, 429 -> new RemovalAnswer.RemovalRefused(Faults.messageWithCauses(e));
        default -> throw Faults.of((pod.isReady() ? "evict" : "delete") + " pod " + pod.name(), e);
      };
    }
  }

  /** A 500, and no fault: the API server answers so until only one budget selects the pod. */
  private static boolean hasSeveralBudgets(KubernetesClientException refusal) {
    return Faults.message(refusal).contains("more than one PodDisruptionBudget");
  }

  private static void evict(KubernetesClient writer, PodState pod, boolean dryRun) {
    var eviction =
        new EvictionBuilder()
            .withNewMetadata()
            .withName(pod.name())
            .withNamespace(pod.pod().getMetadata().getNamespace())
            .endMetadata()
            .withDeleteOptions(onlyThisUid(pod))
            .build();
    writer.raw(path(pod) + "/eviction" + (dryRun ? "?dryRun=All" : ""), "POST", eviction);
  }

  /** Deletes the pod with its own grace period. */
  public void delete(App app, PodState pod) {
    delete(app, pod, onlyThisUid(pod));
  }

  /**
   * Deletes the pod without a grace period: on a dead node no kubelet would ever confirm that it
   * has terminated.
   */
  public void forceDelete(App app, PodState pod) {
    delete(app, pod, new DeleteOptionsBuilder(onlyThisUid(pod)).withGracePeriodSeconds(0L).build());
  }

  private void delete(App app, PodState pod, DeleteOptions options) {
    try {
      writers.of(app).raw(path(pod), "DELETE", options);
    } catch (KubernetesClientException e) {
      if (e.getCode() != 404) {
        throw Faults.of("delete pod " + pod.name(), e);
      }
    }
  }

  private static DeleteOptions onlyThisUid(PodState pod) {
    return new DeleteOptionsBuilder()
        .withApiVersion("v1")
        .withKind("DeleteOptions")
        .withNewPreconditions(null, pod.uid())
        .build();
  }

  private static String path(PodState pod) {
    return "/api/v1/namespaces/%s/pods/%s"
        .formatted(pod.pod().getMetadata().getNamespace(), pod.name());
  }
}
