package io.middleware.engine.process.objects;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What others have written into fields of an object that are the engine's own as a whole, such as
 * the pod template of a workload. Fields that the API server or a webhook fills in have no manager
 * and are none of these.
 *
 * @param manager who has written them
 * @param fields for people, for example {@code spec.template.spec.containers[redis].image}
 */
public record DriftedFields(String manager, List<String> fields) {
  /** The manager of the objects that the engine applies. */
  private static final String ENGINE = "middleware-engine";

  private static final List<List<String>> TEMPLATE = List.of(List.of("spec", "template"));
  private static final Map<String, List<List<String>>> OWN =
      Map.of(
          "StatefulSet",
          TEMPLATE,
          "Deployment",
          TEMPLATE,
          "CronJob",
          List.of(List.of("spec", "jobTemplate")),
          "ConfigMap",
          List.of(List.of("data"), List.of("binaryData")));

  private static final String ITEM = ".";

  public DriftedFields {
    fields = List.copyOf(fields);
  }

  /** The paths that are the engine's own in objects of this kind. */
  public static List<List<String>> own(String kind) {
    return OWN.getOrDefault(kind, List.of());
  }

  /** Those of each other manager that has written any. */
  public static List<DriftedFields> in(HasMetadata object) {
    var entries = entries(object).toList();
    var ours =
        entries.stream()
            .filter(DriftedFields::isEngine)
            .map(DriftedFields::fields)
            .findFirst()
            .orElseGet(Map::of);
    return entries.stream()
        .filter(entry -> !isEngine(entry))
        .map(entry -> new DriftedFields(entry.getManager(), foreign(object, fields(entry), ours)))
        .filter(found -> !found.fields().isEmpty())
        .toList();
  }

  /** For example {@code kubectl-set: spec.template.spec.containers[redis].env[DEBUG]}. */
  @Override
  public String toString() {
    return "%s: %s".formatted(manager, String.join(", ", fields));
  }

  /** The managed fields of those who have written the object itself, not a subresource. */
  public static Stream<ManagedFieldsEntry> entries(HasMetadata object) {
    return Stream.ofNullable(object.getMetadata().getManagedFields())
        .flatMap(Collection::stream)
        .filter(Objects::nonNull)
        .filter(entry -> entry.getSubresource() == null || entry.getSubresource().isEmpty())
        .filter(entry -> entry.getFieldsV1() != null);
  }

  /** Whether the engine has applied it. */
  public static boolean isEngine(ManagedFieldsEntry entry) {
    return ENGINE.equals(entry.getManager()) && "Apply".equals(entry.getOperation());
  }

  private static Map<?, ?> fields(ManagedFieldsEntry entry) {
    return entry.getFieldsV1().getAdditionalProperties();
  }

  private static List<String> foreign(HasMetadata object, Map<?, ?> theirs, Map<?, ?> ours) {
    var found = new ArrayList<String>();
    for (var path : own(object.getKind())) {
      inner(theirs, path)
          .ifPresent(
              fields ->
                  collect(
                      String.join(".", path),
                      fields,
                      inner(ours, path).orElseGet(HashMap::new),
                      found));
    }
    return found;
  }

  private static Optional<Map<?, ?>> inner(Map<?, ?> fields, List<String> path) {
    Object now = fields;
    for (var name : path) {
      now = now instanceof Map<?, ?> inner ? inner.get("f:" + name) : null;
    }
    return now instanceof Map<?, ?> found ? Optional.of(found) : Optional.empty();
  }

  private static void collect(String path, Map<?, ?> theirs, Map<?, ?> ours, List<String> found) {
    theirs.forEach(
        (key, value) -> {
          if (ITEM.equals(key)) {
            return;
          }
          var name = path + name(key.toString());
          var inner = value instanceof Map<?, ?> fields ? fields : Map.of();
          var own = ours.get(key);
          if (own == null && (isLeaf(inner) || isWhole(key.toString(), inner))) {
            found.add(name);
          } else {
            collect(name, inner, own instanceof Map<?, ?> fields ? fields : Map.of(), found);
          }
        });
  }

  private static boolean isLeaf(Map<?, ?> fields) {
    return fields.keySet().stream().allMatch(ITEM::equals);
  }

  /** Whether the manager has added an item of a list, not only something to it. */
  private static boolean isWhole(String key, Map<?, ?> fields) {
    return isItem(key) && fields.containsKey(ITEM);
  }

  private static boolean isItem(String key) {
    return key.startsWith("k:");
  }

  /** Of a key such as {@code f:image} or <code>k:{"name":"redis"}</code>. */
  private static String name(String key) {
    var name = key.substring(Math.min(2, key.length()));
    if (isItem(key)) {
      var values = Serialization.unmarshal(name, Map.class).values();
      return "[%s]"
          .formatted(
              ((Collection<?>) values)
                  .stream().map(String::valueOf).collect(Collectors.joining(",")));
    }
    return key.startsWith("f:") && !name.contains(".") && !name.contains("/")
        ? "." + name
        : "[%s]".formatted(name);
  }
}
