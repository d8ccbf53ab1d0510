package io.middleware.engine.cluster;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Quantity;
import io.middleware.engine.process.pods.PodNames;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The volumes that rendered objects request; pure functions on plain trees. A size that is not
 * valid is ignored here: the API server refuses it.
 */
public final class VolumeClaimTemplates {
  private static final String CLAIM = "PersistentVolumeClaim";
  private static final String STATEFUL_SET = "StatefulSet";
  private static final String TEMPLATES = "volumeClaimTemplates";
  private static final String[] SIZE = {"spec", "resources", "requests", "storage"};
  private static final String[] STORAGE_CLASS = {"spec", "storageClassName"};

  private VolumeClaimTemplates() {}

  /**
   * The sizes of the volume claims that an object is (a PersistentVolumeClaim) or creates (a
   * StatefulSet).
   */
  public static List<VolumeClaimSize> sizes(String kind, String name, Map<String, Object> tree) {
    return switch (kind) {
      case CLAIM ->
          size(tree)
              .map(size -> new VolumeClaimSize(name, false, size, storageClass(tree)))
              .stream()
              .toList();
      case STATEFUL_SET ->
          templates(at(tree, "spec", TEMPLATES))
              .flatMap(one -> size(one).map(size -> ofSet(name, one, size)).stream())
              .toList();
      default -> List.of();
    };
  }

  /** The size of the volumes that a StatefulSet makes from its template of this name. */
  public static Optional<VolumeClaimSize> size(
      String set, Map<String, Object> tree, String template) {
    return templates(at(tree, "spec", TEMPLATES))
        .filter(one -> template.equals(name(one)))
        .findFirst()
        .flatMap(one -> size(one).map(size -> ofSet(set, one, size)));
  }

  /** The names of the volume claim templates of a StatefulSet. */
  public static List<String> templateNames(Map<String, Object> tree) {
    return templates(at(tree, "spec", TEMPLATES)).map(VolumeClaimTemplates::name).toList();
  }

  private static VolumeClaimSize ofSet(String set, Map<?, ?> template, Quantity size) {
    return new VolumeClaimSize(name(template) + "-" + set, true, size, storageClass(template));
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
        .anyMatch(template -> PodNames.isNumbered(name(template) + "-" + name, claim));
  }

  /** Whether the rendered StatefulSet asks for other volumes than the live one. */
  public static boolean differ(Map<String, Object> rendered, GenericKubernetesResource live) {
    return !volumes(at(rendered, "spec", TEMPLATES))
        .equals(volumes(live.<Object>get("spec", TEMPLATES)));
  }

  /** Whether both have templates of the same names, so that only sizes and classes may differ. */
  public static boolean haveSameNames(
      Map<String, Object> rendered, GenericKubernetesResource live) {
    return volumes(at(rendered, "spec", TEMPLATES))
        .keySet()
        .equals(volumes(live.<Object>get("spec", TEMPLATES)).keySet());
  }

  /** The rendered StatefulSet, which asks for the same volumes as the live one. */
  public static Map<String, Object> asDeployed(
      Map<String, Object> rendered, GenericKubernetesResource live) {
    var deployed = volumes(live.<Object>get("spec", TEMPLATES));
    if (!haveSameNames(rendered, live)) {
      return with(
          rendered,
          Objects.requireNonNullElse(live.<Object>get("spec", TEMPLATES), List.of()),
          "spec",
          TEMPLATES);
    }
    var templates =
        templates(at(rendered, "spec", TEMPLATES))
            .map(
                one -> {
                  var was = deployed.get(name(one));
                  return was.equals(Volume.of(one)) ? one : was.in(one);
                })
            .toList();
    return templates.isEmpty() ? rendered : with(rendered, templates, "spec", TEMPLATES);
  }

  /** Replaces the object's claim templates by the rendered ones. */
  public static void replace(GenericKubernetesResource object, Map<String, Object> rendered) {
    object
        .getAdditionalProperties()
        .putAll(
            with(
                object.getAdditionalProperties(),
                Objects.requireNonNullElse(at(rendered, "spec", TEMPLATES), List.of()),
                "spec",
                TEMPLATES));
  }

  private static Map<String, Volume> volumes(Object templates) {
    return templates(templates)
        .collect(Collectors.toMap(one -> name(one), Volume::of, (one, twin) -> one));
  }

  /**
   * What may differ between two templates of one name.
   *
   * @param bytes empty where the size is missing or not valid
   * @param size as it is written
   */
  private record Volume(Optional<BigDecimal> bytes, Object size, Optional<String> storageClass) {
    static Volume of(Map<?, ?> template) {
      return new Volume(
          VolumeClaimTemplates.size(template)
              .map(it -> it.getNumericalAmount().stripTrailingZeros()),
          at(template, SIZE),
          VolumeClaimTemplates.storageClass(template));
    }

    Map<String, Object> in(Map<?, ?> template) {
      var sized = size == null ? with(template, null, SIZE) : with(template, size, SIZE);
      return with(sized, storageClass.orElse(null), STORAGE_CLASS);
    }

    /** {@code 1Gi} is {@code 1024Mi}. */
    @Override
    public boolean equals(Object other) {
      return other instanceof Volume that
          && bytes.equals(that.bytes)
          && storageClass.equals(that.storageClass);
    }

    @Override
    public int hashCode() {
      return Objects.hash(bytes, storageClass);
    }
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

  private static Optional<String> storageClass(Map<?, ?> claim) {
    return Optional.ofNullable(at(claim, STORAGE_CLASS)).map(Object::toString);
  }

  static Object at(Object tree, String... path) {
    var node = tree;
    for (var field : path) {
      node = node instanceof Map<?, ?> map ? map.get(field) : null;
    }
    return node;
  }

  /** Copies the tree along the path and sets the value at its end; null removes it. */
  static Map<String, Object> with(Object tree, Object value, String... path) {
    Map<String, Object> copy = new LinkedHashMap<>();
    if (tree instanceof Map<?, ?> map) {
      map.forEach((key, old) -> copy.put(String.valueOf(key), old));
    }
    var rest = List.of(path).subList(1, path.length).toArray(String[]::new);
    if (rest.length == 0 && value == null) {
      copy.remove(path[0]);
    } else {
      copy.put(path[0], rest.length == 0 ? value : with(copy.get(path[0]), value, rest));
    }
    return copy;
  }
}
