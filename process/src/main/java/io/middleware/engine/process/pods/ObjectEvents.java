package io.middleware.engine.process.pods;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads what kubelets, the scheduler, provisioners and controllers have said last of an object.
 * Each question is one call; what cannot be read is as if nobody had said it.
 */
public final class ObjectEvents {
  private static final Logger LOG = LoggerFactory.getLogger(ObjectEvents.class);

  private final KubernetesClient engine;

  /**
   * @param engine client with the engine's own rights
   */
  public ObjectEvents(KubernetesClient engine) {
    this.engine = engine;
  }

  /** What keeps a pod that is not ready from being ready, where its status does not say it. */
  public Optional<String> of(Pod pod) {
    return Optional.of(new PodTrouble(pod, Optional.empty()))
        .filter(PodTrouble::needsEvent)
        .flatMap(this::of);
  }

  /** What keeps the pod from becoming ready. */
  Optional<String> of(PodTrouble trouble) {
    var pod = trouble.pod();
    return trouble.unboundClaims().stream()
        .flatMap(claim -> EventTexts.unbound(claim, ofClaim(pod, claim)).stream())
        .findFirst()
        .or(() -> EventTexts.ofPod(about(pod), trouble.lacksImage()));
  }

  private List<Event> ofClaim(Pod pod, String claim) {
    return list(pod, Map.of("regarding.kind", "PersistentVolumeClaim", "regarding.name", claim));
  }

  /**
   * Why a controller, such as a StatefulSet or a Job, cannot create a pod.
   *
   * @param pod that is missing; empty for any
   */
  public Optional<String> refusedCreation(HasMetadata controller, Optional<String> pod) {
    return EventTexts.refusedCreation(about(controller), pod);
  }

  private List<Event> about(HasMetadata object) {
    return list(object, Map.of("regarding.uid", object.getMetadata().getUid()));
  }

  private List<Event> list(HasMetadata about, Map<String, String> fields) {
    try {
      return engine
          .resources(Event.class)
          .inNamespace(about.getMetadata().getNamespace())
          .withFields(fields)
          .list()
          .getItems();
    } catch (KubernetesClientException e) {
      LOG.atWarn()
          .setCause(e)
          .addKeyValue("object", about.getMetadata().getName())
          .log("could not read events");
      return List.of();
    }
  }
}
