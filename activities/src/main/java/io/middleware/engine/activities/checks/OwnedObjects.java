package io.middleware.engine.activities.checks;

import com.google.common.base.Suppliers;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.activities.objects.EngineObjects;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.InventoryItem;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.render.expression.ObjectSource;
import io.middleware.engine.render.expression.UnreadableObjectException;
import io.temporal.failure.ApplicationFailure;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The objects that the engine has made for what is checked, read past the caches and with the
 * rights of the App. One instance is for one look. Thread-safe.
 */
final class OwnedObjects implements ObjectSource {
  private static final int MOST_OBJECTS = 64;

  private final KubernetesClient client;
  private final CheckTarget target;
  private final Supplier<List<InventoryItem>> inventory;

  /** By API version, kind and name, read once in a look. */
  private final Map<List<String>, Supplier<Reading>> readings = new ConcurrentHashMap<>();

  /**
   * @param problem why there is no object; empty when there is one
   */
  private record Reading(Optional<Map<String, Object>> object, String problem) {}

  /**
   * @param client with the rights of the App
   * @param objects read with the engine's own rights
   */
  OwnedObjects(KubernetesClient client, EngineObjects objects, CheckTarget target) {
    this.client = client;
    this.target = target;
    this.inventory = Suppliers.memoize(() -> inventory(objects, target));
  }

  private static List<InventoryItem> inventory(EngineObjects objects, CheckTarget target) {
    var groups =
        target
            .group()
            .map(name -> objects.group(target.task(), name).stream().toList())
            .orElseGet(() -> objects.groups(target.task()));
    return groups.stream().flatMap(OwnedObjects::items).toList();
  }

  private static Stream<InventoryItem> items(Group group) {
    return group.getStatus() == null
        ? Stream.empty()
        : Stream.ofNullable(group.getStatus().inventory()).flatMap(List::stream);
  }

  @Override
  public Map<String, Object> object(Optional<String> apiVersion, String kind, String name) {
    var key = List.of(apiVersion.orElse(""), kind, name);
    if (readings.size() >= MOST_OBJECTS && !readings.containsKey(key)) {
      throw new UnreadableObjectException(
          "the checks read more than %d objects at the same time".formatted(MOST_OBJECTS));
    }
    var reading =
        readings
            .computeIfAbsent(key, it -> Suppliers.memoize(() -> reading(apiVersion, kind, name)))
            .get();
    return reading.object().orElseThrow(() -> new UnreadableObjectException(reading.problem()));
  }

  private Reading reading(Optional<String> apiVersion, String kind, String name) {
    try {
      return new Reading(Optional.of(tree(apiVersion, kind, name)), "");
    } catch (UnreadableObjectException e) {
      return new Reading(Optional.empty(), e.getMessage());
    }
  }

  private Map<String, Object> tree(Optional<String> apiVersion, String kind, String name) {
    try {
      var item =
          inventory.get().stream()
              .filter(it -> it.kind().equals(kind) && it.name().equals(name))
              .filter(it -> apiVersion.map(it.apiVersion()::equals).orElse(true))
              .findFirst()
              .orElseThrow(
                  () ->
                      new UnreadableObjectException(
                          "%s %s does not belong to %s".formatted(kind, name, subject())));
      return tree(item);
    } catch (ApplicationFailure e) {
      throw new UnreadableObjectException(e.getOriginalMessage());
    }
  }

  private Map<String, Object> tree(InventoryItem item) {
    var namespace = target.task().change().namespace();
    var found =
        Faults.attempt(
            "read %s %s/%s".formatted(item.kind(), namespace, item.name()),
            () ->
                client
                    .genericKubernetesResources(item.apiVersion(), item.kind())
                    .inNamespace(namespace)
                    .withName(item.name())
                    .get());
    if (found == null) {
      throw new UnreadableObjectException(
          "%s %s does not exist".formatted(item.kind(), item.name()));
    }
    return tree(found);
  }

  @SuppressWarnings("unchecked") // the fields of an object have names
  private Map<String, Object> tree(GenericKubernetesResource object) {
    return client.getKubernetesSerialization().convertValue(object, Map.class);
  }

  private String subject() {
    return target
        .group()
        .map(name -> "group " + name)
        .orElseGet(() -> "component " + target.task().component());
  }
}
