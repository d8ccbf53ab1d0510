package io.middleware.engine.activities.resources;

import io.fabric8.kubernetes.api.model.DeleteOptionsBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.middleware.engine.activities.kubernetes.Faults;
import io.middleware.engine.activities.kubernetes.ImpersonatedClients;
import io.middleware.engine.activities.render.guard.RenderedObject;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.InventoryItem;
import io.middleware.engine.api.task.FaultKind;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes and deletes a group's objects, with the rights of the App's service account. */
final class ObjectWriter {
  private static final Logger LOG = LoggerFactory.getLogger(ObjectWriter.class);
  private static final String CLAIM = "PersistentVolumeClaim";

  private final KubernetesClient engine;
  private final ImpersonatedClients writers;
  private final ApiResources apiResources;
  private final ForcedDeletions deletions;

  /**
   * @param engine client with the engine's own rights, for reading
   */
  ObjectWriter(KubernetesClient engine, ImpersonatedClients writers, ForcedDeletions deletions) {
    this.engine = engine;
    this.writers = writers;
    this.deletions = deletions;
    this.apiResources = new ApiResources(engine);
  }

  /** Applies the object. The group becomes its owner, unless it is a volume claim. */
  GenericKubernetesResource apply(App app, Group owner, RenderedObject rendered) {
    var client = writers.of(app);
    var object =
        client
            .getKubernetesSerialization()
            .convertValue(rendered.tree(), GenericKubernetesResource.class);
    if (!isVolume(rendered.kind().kind())) {
      object.getMetadata().setOwnerReferences(List.of(EngineObjects.reference(owner)));
    }
    var kind = apiResources.find(rendered.kind().apiVersion(), rendered.kind().kind());
    return Faults.attempt(
        "apply " + nameOf(app, rendered.kind().kind(), rendered.name()),
        () -> {
          var resource =
              client
                  .genericKubernetesResources(kind)
                  .inNamespace(app.getMetadata().getNamespace())
                  .resource(object)
                  .fieldManager(EngineObjects.MANAGER);
          return app.forcesConflicts()
              ? resource.forceConflicts().serverSideApply()
              : resource.serverSideApply();
        });
  }

  /**
   * Refuses an existing object that does not belong to the group. If the App's account may not read
   * the object, the write decides.
   *
   * @return the existing object, if it may be read
   * @throws io.temporal.failure.ApplicationFailure of kind INVALID; or CONFLICT while an earlier
   *     Group's object is being garbage-collected
   */
  Optional<GenericKubernetesResource> checkFree(App app, Group group, InventoryItem item) {
    var name = nameOf(app, item.kind(), item.name());
    Optional<GenericKubernetesResource> found;
    try {
      found = find(app, item);
    } catch (KubernetesClientException e) {
      if (e.getCode() == HttpURLConnection.HTTP_FORBIDDEN) {
        return Optional.empty();
      }
      throw Faults.of("read " + name, e);
    }
    switch (found.map(object -> ObjectOwnership.of(group, object)).orElse(ObjectOwnership.OURS)) {
      case OURS -> {}
      case COLLECTED ->
          throw Faults.of(
              FaultKind.CONFLICT, name + " of an earlier Group is still being garbage-collected");
      case FOREIGN ->
          throw Faults.of(
              FaultKind.INVALID,
              name
                  + " already exists and does not belong to this group: it is "
                  + ObjectOwnership.describe(found.get())
                  + "; rename it or delete it");
    }
    return found;
  }

  /** Deletes the object and its pods if it belongs to the group; it may already be gone. */
  void delete(App app, Group owner, InventoryItem item) {
    var name = nameOf(app, item.kind(), item.name());
    deletions.attempt(app, name, () -> delete(app, owner, item, name));
  }

  private void delete(App app, Group owner, InventoryItem item, String name) {
    var found = Faults.attempt("read " + name, () -> find(app, item));
    if (found.isEmpty()) {
      return;
    }
    if (ObjectOwnership.of(owner, found.get()) != ObjectOwnership.OURS) {
      LOG.atInfo()
          .addKeyValue("object", name)
          .addKeyValue("group", owner.getMetadata().getName())
          .log("not deleted: the group does not own it");
      return;
    }
    deleteOnly("delete " + name, app, found.get(), "Background");
  }

  /** Deletes exactly this StatefulSet and keeps its pods. */
  void deleteWithoutPods(App app, GenericKubernetesResource set) {
    var name = nameOf(app, set.getKind(), set.getMetadata().getName());
    deleteOnly("replace " + name, app, set, "Orphan");
  }

  private Optional<GenericKubernetesResource> find(App app, InventoryItem item) {
    return Optional.ofNullable(
        writers
            .of(app)
            .genericKubernetesResources(apiResources.find(item.apiVersion(), item.kind()))
            .inNamespace(app.getMetadata().getNamespace())
            .withName(item.name())
            .get());
  }

  /** Whether the object is missing or being deleted; uses a list, which the engine may read. */
  boolean isMissingOrBeingDeleted(App app, InventoryItem item) {
    var found =
        Faults.attempt(
            "look up " + nameOf(app, item.kind(), item.name()),
            () ->
                engine
                    .genericKubernetesResources(apiResources.find(item.apiVersion(), item.kind()))
                    .inNamespace(app.getMetadata().getNamespace())
                    .withField("metadata.name", item.name())
                    .list()
                    .getItems());
    return found.stream().allMatch(GenericKubernetesResource::isMarkedForDeletion);
  }

  /** During a forced deletion, reports the object if finalizers keep it from being deleted. */
  void reportIfHeld(App app, Group owner, InventoryItem item) {
    var name = nameOf(app, item.kind(), item.name());
    deletions.attempt(
        app,
        name,
        () ->
            Faults.attempt("read " + name, () -> find(app, item))
                .filter(object -> ObjectOwnership.of(owner, object) == ObjectOwnership.OURS)
                .filter(GenericKubernetesResource::isMarkedForDeletion)
                .map(object -> object.getMetadata().getFinalizers())
                .filter(finalizers -> !finalizers.isEmpty())
                .ifPresent(
                    finalizers -> {
                      throw Faults.of(
                          FaultKind.CONFLICT, "held by finalizer " + String.join(", ", finalizers));
                    }));
  }

  /** The client's own delete cannot set a precondition on the uid. */
  private void deleteOnly(String attempted, App app, HasMetadata object, String propagation) {
    var root = object.getApiVersion().contains("/") ? "/apis/" : "/api/";
    var metadata = object.getMetadata();
    var path =
        "%s%s/namespaces/%s/%s/%s"
            .formatted(
                root,
                object.getApiVersion(),
                metadata.getNamespace(),
                apiResources.find(object.getApiVersion(), object.getKind()).getPlural(),
                metadata.getName());
    var options =
        new DeleteOptionsBuilder()
            .withApiVersion("v1")
            .withKind("DeleteOptions")
            .withPropagationPolicy(propagation)
            .withNewPreconditions(null, metadata.getUid())
            .build();
    try {
      writers.of(app).raw(path, "DELETE", options);
    } catch (KubernetesClientException e) {
      if (e.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
        throw Faults.of(attempted, e);
      }
    }
  }

  /** Deletes the volumes that these labels select; lists them with the engine's own rights. */
  void deleteVolumes(App app, Map<String, String> selector) {
    var namespace = app.getMetadata().getNamespace();
    var found =
        Faults.attempt(
            "list volume claims in " + namespace,
            () ->
                engine
                    .resources(PersistentVolumeClaim.class)
                    .inNamespace(namespace)
                    .withLabels(selector)
                    .list()
                    .getItems());
    for (var claim : found) {
      var name = nameOf(app, CLAIM, claim.getMetadata().getName());
      deletions.attempt(app, name, () -> deleteOnly("delete " + name, app, claim, "Background"));
    }
  }

  /** Whether only the deletion policy decides what happens to objects of this kind. */
  static boolean isVolume(String kind) {
    return kind.equals(CLAIM);
  }

  private static String nameOf(App app, String kind, String name) {
    return "%s %s/%s".formatted(kind, app.getMetadata().getNamespace(), name);
  }
}
