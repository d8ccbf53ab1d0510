package io.middleware.engine.activities.volumes;

import io.fabric8.kubernetes.api.model.DeleteOptionsBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.middleware.engine.api.App;
import io.middleware.engine.api.operation.RebuildStatus.RebuiltClaim;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.ImpersonatedClients;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The volume claims that a StatefulSet has made for its pods, on the API server. */
public final class VolumeClaims {
  private final KubernetesClient engine;
  private final ImpersonatedClients writers;

  /**
   * @param engine client with the engine's own rights, for reading
   */
  public VolumeClaims(KubernetesClient engine, ImpersonatedClients writers) {
    this.engine = engine;
    this.writers = writers;
  }

  /** The names of those of this pod, whether they exist or not. */
  static Stream<String> names(StatefulSet set, String pod) {
    return set.getSpec().getVolumeClaimTemplates().stream()
        .map(template -> template.getMetadata().getName() + "-" + pod);
  }

  /** Those of this pod. */
  public List<RebuiltClaim> of(StatefulSet set, String pod) {
    return found(set, pod).map(VolumeClaims::named).toList();
  }

  /** The same, as they are now. */
  public Stream<PersistentVolumeClaim> found(StatefulSet set, String pod) {
    return names(set, pod).flatMap(name -> find(set.getMetadata().getNamespace(), name).stream());
  }

  /** Exactly this claim. */
  public static RebuiltClaim named(PersistentVolumeClaim claim) {
    return new RebuiltClaim(claim.getMetadata().getName(), claim.getMetadata().getUid());
  }

  /** Whether the claim itself still exists, and not only a later one of its name. */
  public boolean exists(String namespace, RebuiltClaim claim) {
    return find(namespace, claim.name())
        .filter(found -> claim.uid().equals(found.getMetadata().getUid()))
        .isPresent();
  }

  /** Deletes the claim of this uid, which stays until its pod is gone; no other one. */
  public void delete(App app, RebuiltClaim claim) {
    var namespace = app.getMetadata().getNamespace();
    var options =
        new DeleteOptionsBuilder()
            .withApiVersion("v1")
            .withKind("DeleteOptions")
            .withNewPreconditions(null, claim.uid())
            .build();
    try {
      writers
          .of(app)
          .raw(
              "/api/v1/namespaces/%s/persistentvolumeclaims/%s".formatted(namespace, claim.name()),
              "DELETE",
              options);
    } catch (KubernetesClientException e) {
      if (e.getCode() != HttpURLConnection.HTTP_NOT_FOUND
          && e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
        throw Faults.of("delete volume claim %s/%s".formatted(namespace, claim.name()), e);
      }
    }
  }

  /** Uses a list, which the engine may read. */
  private Optional<PersistentVolumeClaim> find(String namespace, String name) {
    var found =
        Faults.attempt(
            "look up volume claim %s/%s".formatted(namespace, name),
            () ->
                engine
                    .resources(PersistentVolumeClaim.class)
                    .inNamespace(namespace)
                    .withField("metadata.name", name)
                    .list()
                    .getItems());
    return found.stream().findFirst();
  }
}
