package io.middleware.engine.watcher.cache;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toUnmodifiableMap;

import io.fabric8.kubernetes.api.model.ConfigMap;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.regex.Pattern;

/** Reduces a ConfigMap to its keys and a digest of each value. */
public final class ConfigMapCacheTransform {
  private static final int DIGEST_BYTES = 8;
  private static final Pattern DIGEST = Pattern.compile("#[0-9a-f]{16}");

  private ConfigMapCacheTransform() {}

  public static void reduce(ConfigMap map) {
    ObjectMetaCacheTransform.reduce(map);
    map.setBinaryData(null);
    map.setData(
        map.getData() == null
            ? Map.of()
            : map.getData().entrySet().stream()
                .collect(
                    toUnmodifiableMap(
                        value -> ObjectMetaCacheTransform.shared(value.getKey()),
                        value -> digest(value.getValue()))));
  }

  /** The digest of a value; a digest is returned unchanged. */
  public static String digest(String value) {
    if (DIGEST.matcher(value).matches()) {
      return value;
    }
    try {
      var hash = MessageDigest.getInstance("SHA-256").digest(value.getBytes(UTF_8));
      return "#" + HexFormat.of().formatHex(hash, 0, DIGEST_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
