package io.middleware.engine.agent.redis;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Compares configuration parameters with those that Redis reports in its own notation. */
final class RedisParameters {
  private static final Pattern SIZE = Pattern.compile("(\\d{1,15})(b|k|kb|m|mb|g|gb)?");
  private static final Map<String, Long> UNITS =
      Map.of(
          "b",
          1L,
          "k",
          1_000L,
          "kb",
          1L << 10,
          "m",
          1_000_000L,
          "mb",
          1L << 20,
          "g",
          1_000_000_000L,
          "gb",
          1L << 30);

  private RedisParameters() {}

  /** The desired parameters that are not in force. */
  static Map<String, String> missing(Map<String, String> desired, Map<String, String> actual) {
    Map<String, String> missing = new TreeMap<>(desired);
    missing.entrySet().removeIf(one -> isSame(one.getValue(), actual.get(one.getKey())));
    return missing;
  }

  /** The desired values where they are in force, otherwise the actual values. */
  static Map<String, String> inForce(Map<String, String> desired, Map<String, String> actual) {
    Map<String, String> inForce = new LinkedHashMap<>(desired);
    missing(desired, actual)
        .keySet()
        .forEach(name -> inForce.put(name, actual.getOrDefault(name, "")));
    return inForce;
  }

  private static boolean isSame(String desired, String actual) {
    return actual != null && normalized(desired).equals(normalized(actual));
  }

  private static List<String> normalized(String value) {
    return value
        .toLowerCase(Locale.ROOT)
        .strip()
        .lines()
        .flatMap(Pattern.compile("\\s+")::splitAsStream)
        .map(RedisParameters::inBytes)
        .toList();
  }

  private static String inBytes(String word) {
    Matcher size = SIZE.matcher(word);
    if (!size.matches()) {
      return word;
    }
    var unit = size.group(2) == null ? 1L : UNITS.get(size.group(2));
    return String.valueOf(Long.parseLong(size.group(1)) * unit);
  }
}
