package io.middleware.engine.cluster;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.Map;
import java.util.Objects;

/**
 * Pods that an engine before 0.2.0 has made get variables of each Service of their namespace. They
 * lose them with their next restart: that alone replaces no pod. Pure functions on plain trees.
 */
public final class ServiceLinks {
  private static final String FIELD = "enableServiceLinks";
  private static final String[] PATH = {"spec", "template", "spec", FIELD};

  private ServiceLinks() {}

  /** Whether this workload would get pods without such variables, and has pods with them. */
  public static boolean areTurnedOff(
      GenericKubernetesResource before, Map<String, Object> rendered) {
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
            template(kept(before.getAdditionalProperties())),
            template(kept(after.getAdditionalProperties())));
  }

  /** The workload with such variables in its pods. */
  public static Map<String, Object> kept(Map<String, Object> tree) {
    return VolumeClaimTemplates.with(tree, true, PATH);
  }

  private static Object template(Map<String, Object> tree) {
    return VolumeClaimTemplates.at(tree, "spec", "template");
  }
}
