package io.middleware.engine.planning;

import com.fasterxml.jackson.databind.util.RawValue;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.apps.ControllerRevision;
import io.fabric8.kubernetes.api.model.apps.ControllerRevisionBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Labels;
import io.middleware.engine.cluster.CanonicalJson;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.OwnerReferences;
import io.middleware.engine.render.sensitive.SensitiveMarks;
import io.middleware.engine.render.sensitive.SensitiveParameters;
import java.util.Comparator;
import java.util.Map;

/** Keeps the specs of the last planned generations as ControllerRevisions, without secrets. */
final class SpecHistory {
  private final KubernetesClient client;
  private final int kept;

  /**
   * @param kept how many specs of an App are kept, the newest of them
   */
  SpecHistory(KubernetesClient client, int kept) {
    this.client = client;
    this.kept = kept;
  }

  /**
   * Stores the spec once, as {@code <app>-<generation>}, and deletes the oldest.
   *
   * @param sensitive the parameters whose values are not kept, only marked
   */
  void keep(App app, SensitiveParameters sensitive) {
    var revision = revision(app, sensitive);
    var name = revision.getMetadata().getName();
    Faults.attempt(
        "create ControllerRevision " + name,
        () -> {
          if (create(app, revision) && app.getMetadata().getGeneration() > kept) {
            forgetOldest(app);
          }
          return null;
        });
  }

  private boolean create(App app, ControllerRevision revision) {
    try {
      revisions(app).resource(revision).create();
      return true;
    } catch (KubernetesClientException e) {
      if (e.getStatus() == null || !"AlreadyExists".equals(e.getStatus().getReason())) {
        throw e;
      }
      return replaceForeign(app, revision);
    }
  }

  /** A deleted App of the same name may have left a revision that is not garbage-collected yet. */
  private boolean replaceForeign(App app, ControllerRevision revision) {
    var there = revisions(app).withName(revision.getMetadata().getName());
    var found = there.get();
    if (found != null && OwnerReferences.owns(app, found)) {
      return false;
    }
    there.delete();
    revisions(app).resource(revision).create();
    return true;
  }

  private void forgetOldest(App app) {
    revisions(app).withLabel(Labels.APP, app.getMetadata().getName()).list().getItems().stream()
        .filter(revision -> OwnerReferences.owns(app, revision))
        .sorted(Comparator.comparing(ControllerRevision::getRevision).reversed())
        .skip(kept)
        .forEach(revision -> revisions(app).withName(revision.getMetadata().getName()).delete());
  }

  /**
   * The data of a ControllerRevision can never change. The API server writes it again with every
   * patch, also when the garbage collector removes an owner, and must find it as it was.
   */
  private RawValue data(App app, SensitiveParameters sensitive) {
    var spec = client.getKubernetesSerialization().convertValue(app.getSpec(), Map.class);
    return new RawValue(
        CanonicalJson.of(new SensitiveMarks(app.getMetadata().getUid()).put(spec, sensitive)));
  }

  private ControllerRevision revision(App app, SensitiveParameters sensitive) {
    var metadata = app.getMetadata();
    return new ControllerRevisionBuilder()
        .withNewMetadata()
        .withName(metadata.getName() + "-" + metadata.getGeneration())
        .withNamespace(metadata.getNamespace())
        .addToLabels(Labels.APP, metadata.getName())
        .addToLabels(Labels.APP_UID, metadata.getUid())
        .withOwnerReferences(OwnerReferences.controlledBy(app))
        .endMetadata()
        .withRevision(metadata.getGeneration())
        .withData(data(app, sensitive))
        .build();
  }

  private NonNamespaceOperation<
          ControllerRevision,
          KubernetesResourceList<ControllerRevision>,
          Resource<ControllerRevision>>
      revisions(App app) {
    return client.resources(ControllerRevision.class).inNamespace(app.getMetadata().getNamespace());
  }
}
