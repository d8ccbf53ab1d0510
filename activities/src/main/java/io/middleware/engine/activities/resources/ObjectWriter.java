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

/** Writes and deletes a group's objects, with the rights that the App has lent. */
final class ObjectWriter {
  private static final Logger LOG = LoggerFactory.getLogger(ObjectWriter.class);
  private static final String CLAIM = "PersistentVolumeClaim";

  private final KubernetesClient engine;
  private final ImpersonatedClients writers;
  private final ApiResources kinds;
  private final ForcedDeletions deletions;

  /**
   * @param engine client with the engine's own rights, for reading
   */
  ObjectWriter(KubernetesClient engine, ImpersonatedClients writers, ForcedDeletions deletions) {
    this.engine = engine;
    this.writers = writers;
    this.deletions = deletions;
    this.kinds = new ApiResources(engine);
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
          return app.forcesConflicts()
              ? resource.forceConflicts().serverSideApply()
              : resource.serverSideApply();
        });
  }

  /**
   * Refuses to take over what is there and not the group's; what the App's account may not read is
   * left to the write.
   *
   * @return what is there of it, as far as that may be read
   * @throws io.temporal.failure.ApplicationFailure of kind INVALID; or CONFLICT while an earlier
   *     Group's object is being collected
   */
  Optional<GenericKubernetesResource> checkFree(App app, Group group, InventoryItem item) {
    var words = words(app, item.kind(), item.name());
    Optional<GenericKubernetesResource> found;
    try {
      found = find(app, item);
    } catch (KubernetesClientException e) {
      if (e.getCode() == HttpURLConnection.HTTP_FORBIDDEN) {
        return Optional.empty();
      }
      throw Faults.of("read " + words, e);
    }
    switch (found.map(object -> ObjectOwnership.of(group, object)).orElse(ObjectOwnership.OURS)) {
      case OURS -> {}
      case COLLECTED ->
          throw Faults.of(
              FaultKind.CONFLICT, words + " of an earlier Group is still being garbage-collected");
      case FOREIGN ->
          throw Faults.of(
              FaultKind.INVALID,
              words
                  + " already exists and does not belong to this group: it is "
                  + ObjectOwnership.words(found.get())
                  + "; rename it or delete it");
    }
    return found;
  }

  /** Deletes it, and its pods with it, if it is the group's; it may be gone already. */
  void delete(App app, Group owner, InventoryItem item) {
    var words = words(app, item.kind(), item.name());
    deletions.attempt(app, words, () -> delete(app, owner, item, words));
  }

  private void delete(App app, Group owner, InventoryItem item, String words) {
    var found = Faults.attempt("read " + words, () -> find(app, item));
    if (found.isEmpty()) {
      return;
    }
    if (ObjectOwnership.of(owner, found.get()) != ObjectOwnership.OURS) {
      LOG.atInfo()
          .addKeyValue("object", words)
          .addKeyValue("group", owner.getMetadata().getName())
          .log("not deleted: the group does not own it");
      return;
    }
    deleteOnly("delete " + words, app, found.get(), "Background");
  }

  /** Deletes exactly this StatefulSet, and lets its pods go on without it. */
  void deleteWithoutPods(App app, GenericKubernetesResource set) {
    var words = words(app, set.getKind(), set.getMetadata().getName());
    deleteOnly("replace " + words, app, set, "Orphan");
  }

  private Optional<GenericKubernetesResource> find(App app, InventoryItem item) {
    return Optional.ofNullable(
        writers
            .of(app)
            .genericKubernetesResources(kinds.find(item.apiVersion(), item.kind()))
            .inNamespace(app.getMetadata().getNamespace())
            .withName(item.name())
            .get());
  }

  /** Whether it is not there, or only until it is let go; by a list, which the engine may read. */
  boolean isGoing(App app, InventoryItem item) {
    var found =
        Faults.attempt(
            "look up " + words(app, item.kind(), item.name()),
            () ->
                engine
                    .genericKubernetesResources(kinds.find(item.apiVersion(), item.kind()))
                    .inNamespace(app.getMetadata().getNamespace())
                    .withField("metadata.name", item.name())
                    .list()
                    .getItems());
    return found.stream().allMatch(GenericKubernetesResource::isMarkedForDeletion);
  }

  /** Tells, of an App that is deleted by force, if the object is deleted but held. */
  void tellIfHeld(App app, Group owner, InventoryItem item) {
    var words = words(app, item.kind(), item.name());
    deletions.attempt(
        app,
        words,
        () ->
            Faults.attempt("read " + words, () -> find(app, item))
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

  /** The client's own delete knows no precondition on the uid. */
  private void deleteOnly(String attempted, App app, HasMetadata object, String propagation) {
    var root = object.getApiVersion().contains("/") ? "/apis/" : "/api/";
    var metadata = object.getMetadata();
    var path =
        "%s%s/namespaces/%s/%s/%s"
            .formatted(
                root,
                object.getApiVersion(),
                metadata.getNamespace(),
                kinds.find(object.getApiVersion(), object.getKind()).getPlural(),
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

  /** Deletes the volumes of the group that these labels select; reading them is no write. */
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
      var words = words(app, CLAIM, claim.getMetadata().getName());
      deletions.attempt(app, words, () -> deleteOnly("delete " + words, app, claim, "Background"));
    }
  }

  /** Whether what becomes of such an object is said by the deletion policy alone. */
  static boolean isVolume(String kind) {
    return kind.equals(CLAIM);
  }

  private static String words(App app, String kind, String name) {
    return "%s %s/%s".formatted(kind, app.getMetadata().getNamespace(), name);
  }
}
