package io.middleware.engine.cluster.secrets;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.hash.Hashing;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;

/**
 * By which an agent knows which values of Secrets are meant. They are for one call, and stand
 * nowhere: a short value could be found by trying.
 *
 * @param digests by parameter, as the agents' protocol defines them
 */
public record SecretDigests(String salt, Map<String, String> digests) {
  public static final SecretDigests NONE = new SecretDigests("", Map.of());

  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int SALT_BYTES = 16;

  public SecretDigests {
    digests = Map.copyOf(digests);
  }

  /**
   * @param values by parameter
   */
  public static SecretDigests of(Map<String, SecretText> values) {
    var bytes = new byte[SALT_BYTES];
    RANDOM.nextBytes(bytes);
    var salt = HexFormat.of().formatHex(bytes);
    var digests = new TreeMap<String, String>();
    values.forEach((name, value) -> digests.put(name, digest(salt, value)));
    return new SecretDigests(salt, digests);
  }

  private static String digest(String salt, SecretText value) {
    return Hashing.sha256()
        .hashString(salt + '\0' + value.withoutLineBreaks() + '\0', UTF_8)
        .toString();
  }

  @Override
  public String toString() {
    return "(not shown)";
  }
}
