package io.middleware.engine.activities.resources;

import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.middleware.engine.activities.kubernetes.Faults;
import io.middleware.engine.activities.kubernetes.Writers;
import io.middleware.engine.activities.render.guard.RenderedObject;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.InventoryItem;
import io.middleware.engine.api.Labels;
import java.util.List;
import java.util.Map;

/** Writes and deletes a group's objects, with the rights that the App has lent. */
final class ObjectWriter {
  private static final String CLAIM = "PersistentVolumeClaim";

  private final KubernetesClient engine;
  private final Writers writers;
  private final Kinds kinds;

  /**
   * @param engine client with the engine's own rights, for reading
   */
  ObjectWriter(KubernetesClient engine, Writers writers) {
    this.engine = engine;
    this.writers = writers;
    this.kinds = new Kinds(engine);
  }

  /** Applies it as the engine's part of the object; the group owns it unless it is a claim. */
  GenericKubernetesResource apply(App app, Group owner, RenderedObject rendered) {
    var client = writers.of(app);
    var object =
        client
            .getKubernetesSerialization()
            .convertValue(rendered.tree(), GenericKubernetesResource.class);
    if (!isVolume(rendered.kind().kind())) {
      object.getMetadata().setOwnerReferences(List.of(EngineObjects.reference(owner)));
    }
    var kind = kinds.find(rendered.kind().apiVersion(), rendered.kind().kind());
    return Faults.attempt(
        "apply " + words(app, rendered.kind().kind(), rendered.name()),
        () -> {
          var resource =
              client
                  .genericKubernetesResources(kind)
                  .inNamespace(app.getMetadata().getNamespace())
                  .resource(object)
                  .fieldManager(EngineObjects.MANAGER);
          return isForced(app)
              ? resource.forceConflicts().serverSideApply()
              : resource.serverSideApply();
        });
  }

  /** Deletes it, and its pods with it; it may be gone already. */
  void delete(App app, InventoryItem item) {
    var kind = kinds.find(item.apiVersion(), item.kind());
    Resource<?> resource =
        writers
            .of(app)
            .genericKubernetesResources(kind)
            .inNamespace(app.getMetadata().getNamespace())
            .withName(item.name());
    Faults.attempt(
        "delete " + words(app, item.kind(), item.name()),
        () -> resource.withPropagationPolicy(DeletionPropagation.BACKGROUND).delete());
  }

  /** Deletes the volumes of the group that these labels select; reading them is no write. */
  void deleteVolumes(App app, Map<String, String> selector) {
    var namespace = app.getMetadata().getNamespace();
    var found =
        Faults.attempt(
            "list claims in " + namespace,
            () ->
                engine
                    .resources(PersistentVolumeClaim.class)
                    .inNamespace(namespace)
                    .withLabels(selector)
                    .list()
                    .getItems());
    var claims = writers.of(app).resources(PersistentVolumeClaim.class).inNamespace(namespace);
    for (var claim : found) {
      var name = claim.getMetadata().getName();
      Faults.attempt("delete " + words(app, CLAIM, name), () -> claims.withName(name).delete());
    }
  }

  /** Whether what becomes of such an object is said by the deletion policy alone. */
  static boolean isVolume(String kind) {
    return kind.equals(CLAIM);
  }

  static boolean isForced(App app) {
    var annotations = app.getMetadata().getAnnotations();
    return annotations != null && "true".equals(annotations.get(Labels.FORCE_CONFLICTS));
  }

  private static String words(App app, String kind, String name) {
    return "%s %s/%s".formatted(kind, app.getMetadata().getNamespace(), name);
  }
}
