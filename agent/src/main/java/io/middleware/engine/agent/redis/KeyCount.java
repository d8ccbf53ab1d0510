package io.middleware.engine.agent.redis;

import java.util.Map;
import java.util.regex.Pattern;

/** The keys of all databases of a Redis. */
final class KeyCount {
  private static final Pattern KEYS = Pattern.compile("keys=(\\d+)");

  private KeyCount() {}

  /**
   * @param keyspace the section of INFO, with fields such as {@code db0} and {@code
   *     keys=3,expires=0}
   */
  static long of(Map<String, String> keyspace) {
    return keyspace.values().stream()
        .flatMap(database -> KEYS.matcher(database).results())
        .mapToLong(keys -> Long.parseLong(keys.group(1)))
        .sum();
  }
}
