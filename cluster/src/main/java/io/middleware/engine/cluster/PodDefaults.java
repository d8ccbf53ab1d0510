package io.middleware.engine.cluster;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * What the engine sets in pods since 0.2.0, where their template leaves it open: no variables of
 * each Service of their namespace, and the last lines of a container as its termination message.
 * Pods that an earlier engine has made get both with their next restart: they alone replace no pod.
 * Pure functions on plain trees.
 */
public final class PodDefaults {
  private static final String FIELD = "enableServiceLinks";
  private static final String[] PATH = {"spec", "template", "spec", FIELD};
  private static final String POLICY = "terminationMessagePolicy";
  private static final String LAST_LINES = "FallbackToLogsOnError";
  private static final List<String> CONTAINERS = List.of("initContainers", "containers");

  private PodDefaults() {}

  /** Whether this workload would get pods with these defaults, and has pods without them. */
  public static boolean areNew(GenericKubernetesResource before, Map<String, Object> rendered) {
    return Boolean.FALSE.equals(VolumeClaimTemplates.at(rendered, PATH))
        && before.get("spec", "template", "spec") != null
        && !Boolean.FALSE.equals(before.<Object>get((Object[]) PATH));
  }

  /** Whether the templates of pods differ in nothing else. */
  public static boolean areOnlyDifference(
      GenericKubernetesResource before, GenericKubernetesResource after) {
    return Boolean.FALSE.equals(after.<Object>get((Object[]) PATH))
        && !Boolean.FALSE.equals(before.<Object>get((Object[]) PATH))
        && Objects.equals(
            template(without(before.getAdditionalProperties(), false)),
            template(without(after.getAdditionalProperties(), false)));
  }

  /** The workload without these defaults, as its pods are. */
  public static Map<String, Object> without(
      Map<String, Object> tree, GenericKubernetesResource before) {
    return without(tree, haveLastLines(before.getAdditionalProperties()));
  }

  /**
   * The workload without these defaults.
   *
   * @param lastLines whether its template itself asks for the last lines
   */
  public static Map<String, Object> without(Map<String, Object> tree, boolean lastLines) {
    var linked = VolumeClaimTemplates.with(tree, true, PATH);
    return lastLines ? linked : withoutLastLines(linked);
  }

  static boolean hasLastLines(Container container) {
    return LAST_LINES.equals(container.getTerminationMessagePolicy());
  }

  private static boolean haveLastLines(Map<String, Object> tree) {
    return CONTAINERS.stream()
        .flatMap(list -> containers(tree, list))
        .anyMatch(container -> LAST_LINES.equals(VolumeClaimTemplates.at(container, POLICY)));
  }

  private static Map<String, Object> withoutLastLines(Map<String, Object> tree) {
    var result = tree;
    for (var list : CONTAINERS) {
      if (containers(result, list).findAny().isPresent()) {
        var others =
            containers(result, list)
                .map(
                    container ->
                        LAST_LINES.equals(VolumeClaimTemplates.at(container, POLICY))
                            ? VolumeClaimTemplates.with(container, "File", POLICY)
                            : container)
                .toList();
        result = VolumeClaimTemplates.with(result, others, "spec", "template", "spec", list);
      }
    }
    return result;
  }

  private static Stream<?> containers(Map<String, Object> tree, String list) {
    return VolumeClaimTemplates.at(tree, "spec", "template", "spec", list) instanceof List<?> found
        ? found.stream()
        : Stream.of();
  }

  private static Object template(Map<String, Object> tree) {
    return VolumeClaimTemplates.at(tree, "spec", "template");
  }
}
