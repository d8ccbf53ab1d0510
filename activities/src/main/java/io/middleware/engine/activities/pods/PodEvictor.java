package io.middleware.engine.activities.pods;

import io.fabric8.kubernetes.api.model.DeleteOptions;
import io.fabric8.kubernetes.api.model.DeleteOptionsBuilder;
import io.fabric8.kubernetes.api.model.policy.v1.EvictionBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.middleware.engine.activities.kubernetes.Faults;
import io.middleware.engine.activities.kubernetes.PodState;

/**
 * Takes exactly one pod away: a ready one by eviction, so that disruption budgets hold; a broken
 * one by deletion, as a budget would keep it for ever.
 */
final class PodEvictor {

  /** What came of it. */
  sealed interface Outcome {
    /** It goes, or has gone. */
    record Leaving() implements Outcome {}

    /** Not now, in the API server's words. */
    record Refused(String why) implements Outcome {}
  }

  /**
   * The pod's uid must have been looked up just before: an eviction of another uid is refused, but
   * spends the disruption budget.
   */
  Outcome remove(KubernetesClient writer, PodState pod) {
    try {
      if (pod.isReady()) {
        evict(writer, pod);
      } else {
        writer.raw(path(pod), "DELETE", only(pod));
      }
      return new Outcome.Leaving();
    } catch (KubernetesClientException e) {
      return switch (e.getCode()) {
        case 404 -> new Outcome.Leaving();
        case 409, 429 -> new Outcome.Refused(Faults.wordsAndCauses(e));
        default -> throw Faults.of((pod.isReady() ? "evict" : "delete") + " pod " + pod.name(), e);
      };
    }
  }

  /**
   * Deletes it without waiting for its end, as of a pod on a dead node nobody will ever tell one.
   */
  void kill(KubernetesClient writer, PodState pod) {
    delete(writer, pod, new DeleteOptionsBuilder(only(pod)).withGracePeriodSeconds(0L).build());
  }

  private static void evict(KubernetesClient writer, PodState pod) {
    var eviction =
        new EvictionBuilder()
            .withNewMetadata()
            .withName(pod.name())
            .withNamespace(pod.pod().getMetadata().getNamespace())
            .endMetadata()
            .withDeleteOptions(only(pod))
            .build();
    writer.raw(path(pod) + "/eviction", "POST", eviction);
  }

  /** Deletes it, with the time that it has to end. */
  void delete(KubernetesClient writer, PodState pod) {
    delete(writer, pod, only(pod));
  }

  private static void delete(KubernetesClient writer, PodState pod, DeleteOptions options) {
    try {
      writer.raw(path(pod), "DELETE", options);
    } catch (KubernetesClientException e) {
      if (e.getCode() != 404) {
        throw Faults.of("delete pod " + pod.name(), e);
      }
    }
  }

  private static DeleteOptions only(PodState pod) {
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
