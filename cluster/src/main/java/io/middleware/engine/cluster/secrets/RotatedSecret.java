package io.middleware.engine.cluster.secrets;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.hash.Hashing;
import io.fabric8.kubernetes.api.model.Secret;
import io.middleware.engine.api.Labels;
import io.middleware.engine.render.SecretReference;
import java.util.Base64;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * A Secret whose values are rotated, as it was read. Beside the value under a key there is the next
 * one until it is published, and then the previous one until it is retired. Servers accept all of
 * them, so a client that reads the key can log in at each moment.
 */
public final class RotatedSecret {
  private final Secret secret;

  RotatedSecret(Secret secret) {
    this.secret = secret;
  }

  String name() {
    return secret.getMetadata().getName();
  }

  Secret secret() {
    return secret;
  }

  /** Whether this Operation has published its values. */
  public boolean isPublishedBy(String operation) {
    var annotations = secret.getMetadata().getAnnotations();
    return annotations != null && operation.equals(annotations.get(Labels.ROTATED_BY));
  }

  /** Whether there is a value under this key. */
  public boolean hasValue(String key) {
    return !encoded(key).isEmpty();
  }

  /** The value under this key; empty when there is none. */
  public Optional<SecretText> value(String key) {
    return Optional.of(encoded(key)).filter(it -> !it.isEmpty()).map(SecretText::decoded);
  }

  /** The value that is under this key once the Secret is published. */
  public Optional<SecretText> published(String key) {
    return value(SecretReference.nextKey(key)).or(() -> value(key));
  }

  /**
   * What tells an agent which values under a key are meant, without telling it them: the SHA-256 of
   * the salt and of the current, the next and the previous value, each followed by a zero byte.
   *
   * @param salt another one for each question
   */
  public String digest(String key, String salt) {
    var hasher = Hashing.sha256().newHasher().putString(salt, UTF_8).putByte((byte) 0);
    for (var one : List.of(key, SecretReference.nextKey(key), SecretReference.previousKey(key))) {
      hasher.putString(stripped(one), UTF_8).putByte((byte) 0);
    }
    return hasher.hash().toString();
  }

  /** As agents read it: many write a line break at the end of a value by mistake. */
  private String stripped(String key) {
    return new String(Base64.getDecoder().decode(encoded(key)), UTF_8).replaceFirst("\\n+$", "");
  }

  /**
   * Adds a next value under each key that has none; empty when there is nothing to add.
   *
   * @param value makes one for a key
   */
  Optional<Map<String, Object>> added(Collection<String> keys, Function<String, String> value) {
    var data = new HashMap<String, Object>();
    keys.stream()
        .filter(key -> encoded(SecretReference.nextKey(key)).isEmpty())
        .forEach(key -> data.put(SecretReference.nextKey(key), inBase64(value.apply(key))));
    return data.isEmpty() ? Optional.empty() : Optional.of(patch(data, Map.of()));
  }

  /** The next values take the place of the current ones, which stay as the previous ones. */
  Map<String, Object> published(Collection<String> keys, String operation) {
    var data = new HashMap<String, Object>();
    for (var key : keys) {
      var next = encoded(SecretReference.nextKey(key));
      if (!next.isEmpty()) {
        data.put(key, next);
        data.put(SecretReference.nextKey(key), null);
        if (hasValue(key)) {
          data.put(SecretReference.previousKey(key), encoded(key));
        }
      }
    }
    return patch(data, Map.of(Labels.ROTATED_BY, operation));
  }

  /** Without the previous values; empty when there are none. */
  Optional<Map<String, Object>> retired(Collection<String> keys) {
    var data = new HashMap<String, Object>();
    keys.stream()
        .map(SecretReference::previousKey)
        .filter(previous -> !encoded(previous).isEmpty())
        .forEach(previous -> data.put(previous, null));
    return data.isEmpty() ? Optional.empty() : Optional.of(patch(data, Map.of()));
  }

  private Map<String, Object> patch(Map<String, Object> data, Map<String, String> annotations) {
    var metadata = new HashMap<String, Object>();
    metadata.put("resourceVersion", secret.getMetadata().getResourceVersion());
    metadata.put("uid", secret.getMetadata().getUid());
    if (!annotations.isEmpty()) {
      metadata.put("annotations", annotations);
    }
    return Map.of("metadata", metadata, "data", Collections.unmodifiableMap(data));
  }

  private static String inBase64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
  }

  private String encoded(String key) {
    return secret.getData() == null ? "" : secret.getData().getOrDefault(key, "");
  }
}
