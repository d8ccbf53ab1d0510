package io.middleware.engine.cluster;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The volume sizes that rendered objects request; pure functions on plain trees. A size that is not
 * valid is ignored here: the API server refuses it.
 */
public final class VolumeClaimTemplates {
  private static final String CLAIM = "PersistentVolumeClaim";
  private static final String STATEFUL_SET = "StatefulSet";
  private static final String TEMPLATES = "volumeClaimTemplates";
  private static final String[] SIZE = {"spec", "resources", "requests", "storage"};

  private VolumeClaimTemplates() {}

  /**
   * The sizes of the volume claims that an object is (a PersistentVolumeClaim) or creates (a
   * StatefulSet).
   */
  public static List<VolumeClaimSize> sizes(String kind, String name, Map<String, Object> tree) {
    return switch (kind) {
      case CLAIM ->
          size(tree).map(size -> new VolumeClaimSize(name, false, size)).stream().toList();
      case STATEFUL_SET ->
          sizes(at(tree, "spec", TEMPLATES)).entrySet().stream()
              .map(one -> new VolumeClaimSize(one.getKey() + "-" + name, true, one.getValue()))
              .toList();
      default -> List.of();
    };
  }

  /**
   * The names of the volume claims that a StatefulSet makes for these pods.
   *
   * @param from how many pods come before the first of them
   * @param to how many pods there are with the last of them
   */
  public static List<String> names(String set, Map<String, Object> tree, int from, int to) {
    var start =
        at(tree, "spec", "ordinals", "start") instanceof Number number ? number.intValue() : 0;
    return templates(at(tree, "spec", TEMPLATES))
        .flatMap(
            template ->
                IntStream.range(start + from, start + to)
                    .mapToObj(pod -> "%s-%s-%d".formatted(name(template), set, pod)))
        .toList();
  }

  /** Whether this StatefulSet has made the volume claim of this name for one of its pods. */
  public static boolean haveMade(GenericKubernetesResource set, String claim) {
    var name = set.getMetadata().getName();
    return templates(set.<Object>get("spec", TEMPLATES))
        .anyMatch(template -> Rollout.isNumbered(name(template) + "-" + name, claim));
  }

  /** Whether the rendered StatefulSet requests larger volumes than the live one. */
  public static boolean isGrown(Map<String, Object> rendered, GenericKubernetesResource live) {
    var before = sizes(live.<Object>get("spec", TEMPLATES));
    return templates(at(rendered, "spec", TEMPLATES)).anyMatch(one -> isGrown(one, before));
  }

  /** The rendered StatefulSet, with the live size wherever it requests a larger one. */
  public static Map<String, Object> ungrown(
      Map<String, Object> rendered, GenericKubernetesResource live) {
    var before = sizes(live.<Object>get("spec", TEMPLATES));
    var templates =
        templates(at(rendered, "spec", TEMPLATES))
            .map(
                one ->
                    isGrown(one, before) ? with(one, before.get(name(one)).toString(), SIZE) : one)
            .toList();
    return with(rendered, templates, "spec", TEMPLATES);
  }

  /** Replaces the object's claim templates by the rendered ones. */
  public static void grow(GenericKubernetesResource object, Map<String, Object> rendered) {
    object
        .getAdditionalProperties()
        .putAll(
            with(
                object.getAdditionalProperties(),
                at(rendered, "spec", TEMPLATES),
                "spec",
                TEMPLATES));
  }

  private static boolean isGrown(Map<?, ?> template, Map<String, Quantity> before) {
    var was = before.get(name(template));
    return was != null
        && size(template).filter(size -> VolumeClaimSize.exceeds(size, was)).isPresent();
  }

  private static Map<String, Quantity> sizes(Object templates) {
    Map<String, Quantity> sizes = new HashMap<>();
    templates(templates).forEach(one -> size(one).ifPresent(size -> sizes.put(name(one), size)));
    return sizes;
  }

  private static Stream<Map<?, ?>> templates(Object list) {
    return list instanceof List<?> templates
        ? templates.stream().filter(Map.class::isInstance).map(one -> (Map<?, ?>) one)
        : Stream.of();
  }

  private static String name(Map<?, ?> template) {
    return String.valueOf(at(template, "metadata", "name"));
  }

  private static Optional<Quantity> size(Map<?, ?> claim) {
    try {
      var size = Optional.ofNullable(at(claim, SIZE)).map(text -> new Quantity(text.toString()));
      size.ifPresent(Quantity::getNumericalAmount);
      return size;
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  static Object at(Object tree, String... path) {
    var node = tree;
    for (var field : path) {
      node = node instanceof Map<?, ?> map ? map.get(field) : null;
    }
    return node;
  }

  /** Copies the tree along the path and sets the value at its end. */
  static Map<String, Object> with(Object tree, Object value, String... path) {
    Map<String, Object> copy = new LinkedHashMap<>();
    if (tree instanceof Map<?, ?> map) {
      map.forEach((key, old) -> copy.put(String.valueOf(key), old));
    }
    var rest = List.of(path).subList(1, path.length).toArray(String[]::new);
    copy.put(path[0], rest.length == 0 ? value : with(copy.get(path[0]), value, rest));
    return copy;
  }
}
