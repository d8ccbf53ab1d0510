package io.middleware.engine.render.guard;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The texts of a Secret, as its data. The API server copies {@code stringData} into {@code data}
 * and forgets who has written it, so a key that is no longer applied would stay.
 */
public final class SecretData {
  private SecretData() {}

  /** The same object without {@code stringData}; as it is when it holds what is not text. */
  public static Map<String, Object> folded(Map<String, Object> object) {
    if (!"v1".equals(object.get("apiVersion"))
        || !"Secret".equals(object.get("kind"))
        || !(object.get("stringData") instanceof Map<?, ?> texts)
        || !texts.values().stream().allMatch(String.class::isInstance)) {
      return object;
    }
    Map<Object, Object> data = new LinkedHashMap<>();
    if (object.get("data") instanceof Map<?, ?> given) {
      data.putAll(given);
    }
    texts.forEach((key, text) -> data.put(key, encoded((String) text)));
    Map<String, Object> folded = new LinkedHashMap<>(object);
    folded.remove("stringData");
    folded.put("data", data);
    return folded;
  }

  private static String encoded(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
  }
}
