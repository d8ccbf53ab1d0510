package io.middleware.engine.activities.objects;

import io.fabric8.kubernetes.api.model.FieldsV1;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.middleware.engine.render.expression.ObjectSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The keys of a Secret that the engine once applied as {@code stringData}. The API server has
 * copied them into {@code data} without an owner, so an apply that no longer names them would leave
 * them.
 */
final class SecretKeys {
  private static final String TEXTS = "f:stringData";
  private static final String DATA = "f:data";

  private SecretKeys() {}

  /**
   * The Secret to apply first, so that the engine owns these keys, and the next apply removes those
   * that it no longer names.
   *
   * @return the desired Secret with these keys, whose values stay as they are; empty without any
   */
  static Optional<GenericKubernetesResource> adopting(
      GenericKubernetesResource desired, GenericKubernetesResource now) {
    if (!ObjectSource.SECRET.equals(desired.getKind())
        || !(now.getAdditionalProperties().get("data") instanceof Map<?, ?> held)
        || held.keySet().stream().noneMatch(key -> isOurs(now, TEXTS, key))) {
      return Optional.empty();
    }
    Map<Object, Object> data = new LinkedHashMap<>(held);
    data.keySet().removeIf(key -> !isOurs(now, TEXTS, key) && !isOurs(now, DATA, key));
    var adopting = new GenericKubernetesResource();
    adopting.setApiVersion(desired.getApiVersion());
    adopting.setKind(desired.getKind());
    adopting.setMetadata(desired.getMetadata());
    adopting.setAdditionalProperties(new LinkedHashMap<>(desired.getAdditionalProperties()));
    adopting.setAdditionalProperty("data", data);
    return Optional.of(adopting);
  }

  /** Whether the engine has written it, and nobody has since. */
  static boolean isOwn(GenericKubernetesResource now, String key) {
    return isOurs(now, DATA, key);
  }

  private static boolean isOurs(GenericKubernetesResource now, String field, Object key) {
    return now.getMetadata().getManagedFields().stream()
        .filter(entry -> EngineObjects.MANAGER.equals(entry.getManager()))
        .flatMap(entry -> Stream.ofNullable(entry.getFieldsV1()))
        .map(FieldsV1::getAdditionalProperties)
        .anyMatch(all -> all.get(field) instanceof Map<?, ?> keys && keys.containsKey("f:" + key));
  }
}
