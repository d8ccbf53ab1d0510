package io.middleware.engine.activities.objects;

import io.fabric8.kubernetes.api.model.FieldsV1;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntryBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.middleware.engine.api.App;
import io.middleware.engine.api.InventoryItem;
import io.middleware.engine.process.objects.DriftedFields;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Makes the engine the only owner of the fields that are its own as a whole ({@link
 * DriftedFields#own}). An apply never removes what only others own; after this it does, and it
 * meets no conflict there. Fields outside of these keep their owners, such as the replicas of an
 * autoscaler.
 */
public final class ReclaimedFields {
  private final ObjectWriter objects;

  public ReclaimedFields(ObjectWriter objects) {
    this.objects = objects;
  }

  /**
   * @return the object since then
   */
  public ObservedObject reclaim(App app, ObservedObject seen) {
    return seen.object()
        .filter(object -> of(object).isPresent())
        .map(object -> seen.as(Optional.of(reclaim(app, object, seen.fence()))))
        .orElse(seen);
  }

  private GenericKubernetesResource reclaim(
      App app, GenericKubernetesResource object, Runnable fence) {
    var name = object.getMetadata().getName();
    var item = new InventoryItem(object.getApiVersion(), object.getKind(), name);
    return new OntoObserved<>(
            ObjectWriter.nameOf(app, object.getKind(), name),
            Optional.of(object),
            () -> objects.read(app, item),
            fence)
        .write("take over fields of", now -> write(app, now.orElseThrow()));
  }

  private GenericKubernetesResource write(App app, GenericKubernetesResource now) {
    var metadata = now.getMetadata();
    var owners =
        Map.of(
            "uid", metadata.getUid(),
            "resourceVersion", metadata.getResourceVersion(),
            "managedFields", of(now).orElseGet(metadata::getManagedFields));
    return objects
        .resource(app, now)
        .patch(
            new PatchContext.Builder()
                .withPatchType(PatchType.JSON_MERGE)
                .withFieldManager(EngineObjects.MANAGER)
                .build(),
            Serialization.asJson(Map.of("metadata", owners)));
  }

  /** The managed fields with this one owner; empty when nothing of others is there. */
  static Optional<List<ManagedFieldsEntry>> of(HasMetadata object) {
    var own = DriftedFields.entries(object).filter(DriftedFields::isEngine).findFirst();
    if (own.isEmpty() || DriftedFields.in(object).isEmpty()) {
      return Optional.empty();
    }
    var engine = copy(own.get().getFieldsV1().getAdditionalProperties());
    var others = new ArrayList<ManagedFieldsEntry>();
    for (var entry : object.getMetadata().getManagedFields()) {
      if (entry.equals(own.get())) {
        continue;
      }
      var fields = entry.getFieldsV1();
      if (DriftedFields.entries(object).noneMatch(entry::equals)) {
        others.add(entry);
        continue;
      }
      var rest = copy(fields.getAdditionalProperties());
      DriftedFields.own(object.getKind()).forEach(path -> move(path, rest, engine));
      if (!rest.isEmpty()) {
        others.add(with(entry, rest));
      }
    }
    others.addFirst(with(own.get(), engine));
    return Optional.of(List.copyOf(others));
  }

  private static ManagedFieldsEntry with(ManagedFieldsEntry entry, Map<String, Object> fields) {
    var content = new FieldsV1();
    content.setAdditionalProperties(fields);
    return new ManagedFieldsEntryBuilder(entry).withFieldsV1(content).build();
  }

  /** An empty map would mean the field itself, so what becomes empty is removed. */
  private static void move(List<String> path, Map<String, Object> from, Map<String, Object> to) {
    var key = "f:" + path.getFirst();
    if (!(from.get(key) instanceof Map<?, ?> found)) {
      return;
    }
    var inner = copy(found);
    if (path.size() == 1) {
      from.remove(key);
      to.put(key, merged(inner, inner(to, key)));
      return;
    }
    var target = inner(to, key);
    move(path.subList(1, path.size()), inner, target);
    if (!target.isEmpty()) {
      to.put(key, target);
    }
    if (inner.isEmpty()) {
      from.remove(key);
    } else {
      from.put(key, inner);
    }
  }

  private static Map<String, Object> merged(Map<String, Object> some, Map<String, Object> more) {
    var all = new HashMap<>(more);
    some.forEach(
        (key, value) ->
            all.merge(
                key,
                value,
                (one, other) -> merged(copy((Map<?, ?>) one), copy((Map<?, ?>) other))));
    return all;
  }

  private static Map<String, Object> inner(Map<String, Object> fields, String key) {
    return fields.get(key) instanceof Map<?, ?> found ? copy(found) : new HashMap<>();
  }

  private static Map<String, Object> copy(Map<?, ?> fields) {
    var copy = new HashMap<String, Object>();
    fields.forEach((key, value) -> copy.put(key.toString(), value));
    return copy;
  }
}
