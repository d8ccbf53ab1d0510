package io.middleware.engine.cluster;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.middleware.engine.api.Labels;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A Job among the templates of a group. Its pod template cannot be edited; pure functions on plain
 * trees.
 *
 * <ul>
 *   <li>One that differs only in the version of its Plugin, which the engine puts on all pods, is
 *       the same Job.
 *   <li>One that has completed has done its work, whatever its template is by now.
 *   <li>One that runs or has failed is made anew when its template differs.
 * </ul>
 */
public final class JobTemplates {
  public static final String KIND = "Job";

  private JobTemplates() {}

  /** Whether the Job has done its work. */
  public static boolean isComplete(GenericKubernetesResource live) {
    return live.get("status", "conditions") instanceof List<?> conditions
        && conditions.stream()
            .filter(Map.class::isInstance)
            .map(condition -> (Map<?, ?>) condition)
            .anyMatch(it -> "Complete".equals(it.get("type")) && "True".equals(it.get("status")));
  }

  /** The rendered Job, whose pods are labelled with the Plugin of the live one. */
  public static Map<String, Object> asDeployed(
      Map<String, Object> rendered, GenericKubernetesResource live) {
    var plugin =
        live.get("spec", "template", "metadata", "labels") instanceof Map<?, ?> labels
            ? labels.get(Labels.PLUGIN)
            : null;
    return plugin == null
        ? rendered
        : with(rendered, plugin, List.of("spec", "template", "metadata", "labels", Labels.PLUGIN));
  }

  private static Map<String, Object> with(Object tree, Object value, List<String> path) {
    Map<String, Object> copy = new LinkedHashMap<>();
    if (tree instanceof Map<?, ?> map) {
      map.forEach((key, old) -> copy.put(String.valueOf(key), old));
    }
    var key = path.getFirst();
    var rest = path.subList(1, path.size());
    copy.put(key, rest.isEmpty() ? value : with(copy.get(key), value, rest));
    return copy;
  }
}
