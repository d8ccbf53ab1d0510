package io.middleware.engine.activities.testing;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Where the objects of a workload describe their pods. */
public final class PodTemplates {
  private static final Map<String, List<String>> PATHS =
      Map.of(
          "Pod", List.of(),
          "Job", List.of("spec", "template"),
          "CronJob", List.of("spec", "jobTemplate", "spec", "template"),
          "Deployment", List.of("spec", "template"),
          "ReplicaSet", List.of("spec", "template"),
          "StatefulSet", List.of("spec", "template"),
          "DaemonSet", List.of("spec", "template"));

  private static final String METADATA = "metadata";
  private static final String ANNOTATIONS = "annotations";

  private PodTemplates() {}

  public static boolean hasPods(Manifest manifest) {
    return path(manifest).isPresent();
  }

  private static Optional<List<String>> path(Manifest manifest) {
    return Optional.ofNullable(PATHS.get(manifest.kind()));
  }

  /** The same with these annotations on its pods; unchanged if it has no pods. */
  public static Manifest annotated(Manifest manifest, Map<String, String> annotations) {
    return annotations.isEmpty()
        ? manifest
        : path(manifest)
            .map(path -> new Manifest(manifest.place(), below(manifest.tree(), path, annotations)))
            .orElse(manifest);
  }

  /** A copy, of which only what is on the path is copied. */
  private static Map<String, Object> below(
      Object tree, List<String> path, Map<String, String> annotations) {
    var copy = copy(tree);
    if (path.isEmpty()) {
      copy.put(METADATA, withAnnotations(copy.get(METADATA), annotations));
    } else {
      var first = path.getFirst();
      copy.put(first, below(copy.get(first), path.subList(1, path.size()), annotations));
    }
    return copy;
  }

  /** Metadata with these annotations besides its own. */
  public static Map<String, Object> withAnnotations(
      Object metadata, Map<String, String> annotations) {
    var copy = copy(metadata);
    var all = new TreeMap<>(copy(copy.get(ANNOTATIONS)));
    all.putAll(annotations);
    copy.put(ANNOTATIONS, all);
    return copy;
  }

  /** A value that is not a map has no fields; the API server reports what is wrong with it. */
  private static Map<String, Object> copy(Object tree) {
    Map<String, Object> copy = new LinkedHashMap<>();
    if (tree instanceof Map<?, ?> map) {
      map.forEach((key, value) -> copy.put(String.valueOf(key), value));
    }
    return copy;
  }
}
