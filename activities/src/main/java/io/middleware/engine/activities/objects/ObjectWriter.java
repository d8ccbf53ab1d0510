package io.middleware.engine.activities.objects;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.InventoryItem;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.ImpersonatedClients;
import io.middleware.engine.cluster.OwnerReferences;
import io.middleware.engine.render.guard.RenderedObject;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes and deletes a group's objects, with the rights of the App's service account. */
public final class ObjectWriter {
  private static final Logger LOG = LoggerFactory.getLogger(ObjectWriter.class);
  private static final String CLAIM = "PersistentVolumeClaim";

  private final KubernetesClient engine;
  private final ImpersonatedClients writers;
  private final ApiResources apiResources;
  private final ForcedDeletions deletions;
  private final PreciseDeletion precisely;

  /**
   * @param engine client with the engine's own rights, for reading
   */
  public ObjectWriter(
      KubernetesClient engine, ImpersonatedClients writers, ForcedDeletions deletions) {
    this.engine = engine;
    this.writers = writers;
    this.deletions = deletions;
    this.apiResources = new ApiResources(engine);
    this.precisely = new PreciseDeletion(writers, apiResources);
  }

  /**
   * Applies the object onto the state that was read. The group becomes its owner, unless it is a
   * volume claim.
   */
  public GenericKubernetesResource apply(
      App app, Group owner, RenderedObject rendered, ObservedObject seen) {
    var name = nameOf(app, rendered.kind().kind(), rendered.name());
    var item =
        new InventoryItem(rendered.kind().apiVersion(), rendered.kind().kind(), rendered.name());
    if (!seen.isReadable()) {
      var object = object(app, owner, rendered);
      return Faults.attempt("apply " + name, () -> applied(app, object, seen.takesOver()));
    }
    return new OntoObserved<>(name, seen.object(), () -> read(app, item), seen.fence())
        .write(
            "apply",
            now -> {
              var object = object(app, owner, rendered);
              OntoObserved.require(object, now);
              now.flatMap(found -> SecretKeys.adopting(object, found))
                  .map(keys -> applied(app, keys))
                  .ifPresent(adopted -> OntoObserved.require(object, Optional.of(adopted)));
              var broughtBack = now.filter(it -> ObjectOwnership.isBroughtBack(owner, it));
              return applied(app, object, seen.takesOver() || broughtBack.isPresent());
            });
  }

  /**
   * Sets some fields of a workload as another field manager, onto the state that was read.
   *
   * @param bare only these fields
   */
  GenericKubernetesResource scale(
      App app,
      String manager,
      GenericKubernetesResource bare,
      GenericKubernetesResource seen,
      Runnable fence) {
    var name = bare.getMetadata().getName();
    var item = new InventoryItem(bare.getApiVersion(), bare.getKind(), name);
    return new OntoObserved<>(
            nameOf(app, bare.getKind(), name), Optional.of(seen), () -> read(app, item), fence)
        .write(
            "scale",
            now -> {
              OntoObserved.require(bare, now);
              return resource(app, bare).fieldManager(manager).forceConflicts().serverSideApply();
            });
  }

  private GenericKubernetesResource object(App app, Group owner, RenderedObject rendered) {
    var object =
        writers
            .of(app)
            .getKubernetesSerialization()
            .convertValue(rendered.tree(), GenericKubernetesResource.class);
    var metadata = object.getMetadata();
    metadata.setNamespace(app.getMetadata().getNamespace());
    if (!isVolume(rendered.kind().kind())) {
      metadata.setOwnerReferences(List.of(OwnerReferences.controlledBy(owner)));
      var task = OntoObserved.writtenBy(owner);
      var annotations = new TreeMap<String, String>();
      Optional.ofNullable(metadata.getAnnotations()).ifPresent(annotations::putAll);
      Optional.ofNullable(task).ifPresent(it -> annotations.put(Labels.WRITTEN_BY, it));
      metadata.setAnnotations(annotations);
    }
    return object;
  }

  private GenericKubernetesResource applied(App app, GenericKubernetesResource object) {
    return applied(app, object, false);
  }

  private GenericKubernetesResource applied(
      App app, GenericKubernetesResource object, boolean force) {
    var resource = resource(app, object).fieldManager(EngineObjects.MANAGER);
    return force || app.forcesConflicts()
        ? resource.forceConflicts().serverSideApply()
        : resource.serverSideApply();
  }

  Resource<GenericKubernetesResource> resource(App app, GenericKubernetesResource object) {
    return writers
        .of(app)
        .genericKubernetesResources(apiResources.find(object.getApiVersion(), object.getKind()))
        .inNamespace(app.getMetadata().getNamespace())
        .resource(object);
  }

  /**
   * Reads an object that the group is to have, and refuses it if it does not belong to the group.
   *
   * @param fence checks the run lock again when the object is written later
   * @throws io.temporal.failure.ApplicationFailure of kind INVALID; or CONFLICT while an earlier
   *     Group's object is being garbage-collected
   */
  public ObservedObject checkFree(App app, Group group, InventoryItem item, Runnable fence) {
    var name = nameOf(app, item.kind(), item.name());
    Optional<GenericKubernetesResource> found;
    try {
      found = find(app, item);
    } catch (KubernetesClientException e) {
      if (e.getCode() == HttpURLConnection.HTTP_FORBIDDEN) {
        return ObservedObject.unreadable(fence);
      }
      throw Faults.of("read " + name, e);
    }
    switch (found.map(object -> ObjectOwnership.of(group, object)).orElse(ObjectOwnership.OURS)) {
      case OURS, LEFT_BEHIND -> {}
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
    return ObservedObject.of(found, fence);
  }

  /**
   * The object as it is to be deleted, if it belongs to the group; empty when it is gone, or cannot
   * be read during a forced deletion.
   */
  public Optional<GenericKubernetesResource> findOwned(App app, Group owner, InventoryItem item) {
    var name = nameOf(app, item.kind(), item.name());
    var found = new AtomicReference<Optional<GenericKubernetesResource>>(Optional.empty());
    deletions.attempt(app, name, () -> found.set(read(app, item)));
    return found
        .get()
        .filter(
            object -> {
              var ours = ObjectOwnership.of(owner, object) == ObjectOwnership.OURS;
              if (!ours) {
                LOG.atInfo()
                    .addKeyValue("object", name)
                    .addKeyValue("group", owner.getMetadata().getName())
                    .log("not deleted: the group does not own it");
              }
              return ours;
            });
  }

  /** Deletes the object and its pods as it was found; it may already be gone. */
  public void delete(App app, GenericKubernetesResource found, Runnable fence) {
    var name = nameOf(app, found.getKind(), found.getMetadata().getName());
    deletions.attempt(app, name, () -> delete("delete", app, found, fence));
  }

  private void delete(String verb, App app, GenericKubernetesResource found, Runnable fence) {
    var metadata = found.getMetadata();
    var item = new InventoryItem(found.getApiVersion(), found.getKind(), metadata.getName());
    var propagation = verb.equals("replace") ? "Orphan" : "Background";
    new OntoObserved<>(
            nameOf(app, found.getKind(), metadata.getName()),
            Optional.of(found),
            () -> read(app, item),
            fence)
        .write(
            verb,
            now -> {
              now.ifPresent(object -> precisely.delete(app, object, propagation, true));
              return now;
            });
  }

  /** Deletes exactly this StatefulSet and keeps its pods. */
  public void deleteWithoutPods(App app, GenericKubernetesResource set, Runnable fence) {
    delete("replace", app, set, fence);
  }

  /** Deletes exactly this object, which stays until its pods are gone; it may already be gone. */
  public void deleteAfterPods(App app, HasMetadata object) {
    Faults.attempt(
        "delete " + nameOf(app, object.getKind(), object.getMetadata().getName()),
        () -> {
          precisely.delete(app, object, "Foreground", false);
          return object;
        });
  }

  Optional<GenericKubernetesResource> read(App app, InventoryItem item) {
    return Faults.attempt("read " + nameOf(app, item.kind(), item.name()), () -> find(app, item));
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
  public boolean isMissingOrBeingDeleted(App app, InventoryItem item) {
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
  public void reportIfHeld(App app, Group owner, InventoryItem item) {
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

  public VolumeClaimWriter volumeClaims() {
    return new VolumeClaimWriter(engine, precisely, deletions);
  }

  /** Whether only the deletion policy decides what happens to objects of this kind. */
  public static boolean isVolume(String kind) {
    return kind.equals(CLAIM);
  }

  static String nameOf(App app, String kind, String name) {
    return "%s %s/%s".formatted(kind, app.getMetadata().getNamespace(), name);
  }
}
