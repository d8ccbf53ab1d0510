package io.middleware.engine.planning;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.middleware.engine.api.task.Excerpt;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The fields of a StatefulSet that Kubernetes fixes when it is created, for a sentence of the
 * engine's own when the API server refuses to change one.
 */
final class FixedFields {
  private static final int LONGEST = 100;
  private static final String CLAIMS = "volumeClaimTemplates";
  private static final List<String> FIELDS =
      List.of("serviceName", "podManagementPolicy", "selector", CLAIMS);
  private static final Map<String, Object> DEFAULTS =
      Map.of("podManagementPolicy", "OrderedReady", CLAIMS, List.of());

  private FixedFields() {}

  /** One clause for each of them that differs; none when the API server refuses something else. */
  static List<String> differences(Map<String, Object> rendered, GenericKubernetesResource live) {
    var differences = new ArrayList<String>();
    for (var field : FIELDS) {
      var was = shown(field, live.get("spec", field));
      var now =
          shown(field, rendered.get("spec") instanceof Map<?, ?> spec ? spec.get(field) : null);
      if (!was.equals(now)) {
        differences.add("spec.%s would change from %s to %s".formatted(field, was, now));
      }
    }
    return differences;
  }

  private static String shown(String field, Object value) {
    var given = value == null ? DEFAULTS.getOrDefault(field, "(none)") : value;
    var text =
        field.equals(CLAIMS) && given instanceof List<?> claims
            ? claims.stream().map(FixedFields::claim).toList().toString()
            : given.toString();
    return Excerpt.within(text, LONGEST);
  }

  /** The API server fills in the rest, and sizes are compared elsewhere. */
  private static String claim(Object template) {
    var claim = template instanceof Map<?, ?> map ? map : Map.of();
    var name = claim.get("metadata") instanceof Map<?, ?> metadata ? metadata.get("name") : null;
    var spec = claim.get("spec") instanceof Map<?, ?> map ? map : Map.of();
    var storageClass = spec.get("storageClassName");
    return "%s %s%s"
        .formatted(
            name,
            Objects.requireNonNullElse(spec.get("accessModes"), List.of()),
            storageClass == null ? "" : " of " + storageClass);
  }
}
