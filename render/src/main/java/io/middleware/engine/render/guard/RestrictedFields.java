package io.middleware.engine.render.guard;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Fills in what the Pod Security Standard Restricted requires, where a template is silent. */
final class RestrictedFields {
  private RestrictedFields() {}

  /**
   * @param pod a pod spec in a copy of the object
   */
  static void fill(TreeCursor pod) {
    if (pod.value() instanceof Map<?, ?> spec) {
      var fields = ForcedFields.open(spec);
      if (pod.at("serviceAccountName").text().isEmpty()
          && pod.at("serviceAccount").text().isEmpty()) {
        fields.putIfAbsent("automountServiceAccountToken", false);
      }
      var security = ForcedFields.below(fields, "securityContext");
      security.putIfAbsent("runAsNonRoot", true);
      security.putIfAbsent("seccompProfile", new LinkedHashMap<>(Map.of("type", "RuntimeDefault")));
      InspectedObject.containers(pod).forEach(RestrictedFields::container);
    }
  }

  private static void container(TreeCursor container) {
    if (container.value() instanceof Map<?, ?> fields) {
      var security = ForcedFields.below(ForcedFields.open(fields), "securityContext");
      security.putIfAbsent("allowPrivilegeEscalation", false);
      ForcedFields.below(security, "capabilities")
          .putIfAbsent("drop", new ArrayList<>(List.of("ALL")));
    }
  }
}
