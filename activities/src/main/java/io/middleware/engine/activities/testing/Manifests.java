package io.middleware.engine.activities.testing;

import io.middleware.engine.api.Labels;
import io.middleware.engine.api.schema.SchemaPatterns;
import io.middleware.engine.api.task.PlainText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The manifests of a test as a list of objects: each is an object, or a List of objects. Whatever
 * cannot be applied is a problem with its place.
 */
public final class Manifests {
  /** The most objects of a test. */
  public static final int MOST_OBJECTS = 256;

  private static final String NAMESPACE = "namespace";

  /** What may be part of a path of the API server, and is not longer than a name may be. */
  private static final Pattern NAME =
      Pattern.compile("[A-Za-z0-9]([A-Za-z0-9._:-]{0,251}[A-Za-z0-9])?");

  private final String namespace;
  private final List<Manifest> objects = new ArrayList<>();
  private final List<String> problems = new ArrayList<>();

  private Manifests(String namespace) {
    this.namespace = namespace;
  }

  /**
   * Reads manifests.
   *
   * @param namespace of the test; objects that name none get it
   * @param place of the list, for example {@code spec.workload}
   */
  public static Manifests of(String namespace, String place, List<Map<String, Object>> given) {
    var manifests = new Manifests(namespace);
    manifests.addAll(place, given);
    return manifests;
  }

  /** Those without a problem, in their order. */
  public List<Manifest> objects() {
    return List.copyOf(objects);
  }

  /** What cannot be applied, for example {@code spec.workload[0]: has no kind}. */
  public List<String> problems() {
    return List.copyOf(problems);
  }

  private void addAll(String place, List<?> given) {
    for (var i = 0; i < given.size(); i++) {
      add("%s[%d]".formatted(place, i), given.get(i));
    }
  }

  private void add(String place, Object given) {
    if (!(given instanceof Map<?, ?> tree)) {
      problems.add(place + ": is not an object");
    } else if (isList(tree) && tree.get("items") instanceof List<?> items) {
      addAll(place + ".items", items);
    } else {
      problem(tree)
          .ifPresentOrElse(
              why -> problems.add(place + ": " + why),
              () -> objects.add(new Manifest(place, inNamespace(tree))));
    }
  }

  private static boolean isList(Map<?, ?> tree) {
    return tree.get("kind") instanceof String kind && kind.endsWith("List");
  }

  private Optional<String> problem(Map<?, ?> tree) {
    if (!isText(tree.get("apiVersion"))) {
      return Optional.of("has no apiVersion");
    }
    if (!follows(SchemaPatterns.API_VERSION, tree.get("apiVersion"))) {
      return Optional.of(
          "apiVersion %s is not valid: use %s"
              .formatted(shown(tree.get("apiVersion")), SchemaPatterns.API_VERSION_IS));
    }
    if (!isText(tree.get("kind"))) {
      return Optional.of("has no kind");
    }
    if (!follows(SchemaPatterns.KIND, tree.get("kind"))) {
      return Optional.of("kind %s is not valid".formatted(shown(tree.get("kind"))));
    }
    if (!(tree.get("metadata") instanceof Map<?, ?> metadata) || !isText(metadata.get("name"))) {
      return Optional.of("has no metadata.name");
    }
    return metadataProblem(tree.get("kind"), metadata);
  }

  private Optional<String> metadataProblem(Object kind, Map<?, ?> metadata) {
    var name = metadata.get("name").toString();
    if (!isName(name)) {
      return Optional.of("%s is not a name of an object".formatted(PlainText.clean(name)));
    }
    var own = metadata.get(NAMESPACE);
    if (own != null && !own.equals(namespace)) {
      return Optional.of(
          "%s %s is in namespace %s; a test applies objects only in its own, %s"
              .formatted(kind, name, shown(own), namespace));
    }
    return metadata.get("labels") instanceof Map<?, ?> labels
            && labels.containsKey(Labels.TEST_CREATED_BY)
        ? Optional.of(
            "%s %s has the label %s, which only the engine sets"
                .formatted(kind, name, Labels.TEST_CREATED_BY))
        : Optional.empty();
  }

  /** Whether an object may have this name. */
  static boolean isName(String name) {
    return NAME.matcher(name).matches();
  }

  private static boolean follows(String pattern, Object value) {
    return value instanceof String text && SchemaPatterns.isFollowed(pattern, text);
  }

  private static String shown(Object value) {
    return PlainText.clean(String.valueOf(value));
  }

  private static boolean isText(Object value) {
    return value instanceof String text && !text.isBlank();
  }

  private Map<String, Object> inNamespace(Map<?, ?> tree) {
    var object = copy(tree);
    var metadata = copy((Map<?, ?>) tree.get("metadata"));
    metadata.put(NAMESPACE, namespace);
    object.put("metadata", metadata);
    return object;
  }

  private static Map<String, Object> copy(Map<?, ?> tree) {
    Map<String, Object> copy = new LinkedHashMap<>();
    tree.forEach((key, value) -> copy.put(String.valueOf(key), value));
    return copy;
  }
}
