package io.middleware.engine.render;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What is known of a parameter of type secret: where its value is kept, and which one it is. The
 * value itself is never read.
 *
 * @param name of the Secret; empty where it is not known yet
 * @param version another one for each value, which says nothing about it; empty as {@code name}
 */
public record SecretReference(String name, String key, String version) {
  /** Fields of a parameter's value in the specs of App, Component and Group. */
  public static final String SECRET_REF = "secretRef";

  public static final String GENERATE = "generate";
  private static final String VERSION = "version";
  private static final Pattern TEXT = Pattern.compile("([^/]+)/([^@]+)@(.*)");
  private static final Set<String> FIELDS = Set.of(SECRET_REF, GENERATE, VERSION);

  /** Under which a value lies that is to take the place of this one. */
  public static String nextKey(String key) {
    return key + ".next";
  }

  /** Under which a value lies whose place this one has taken. */
  public static String previousKey(String key) {
    return key + ".previous";
  }

  /** Empty when the parameter is of another type. */
  public static Optional<SecretReference> of(Object value) {
    if (!(value instanceof Map<?, ?> fields) || !FIELDS.containsAll(fields.keySet())) {
      return Optional.empty();
    }
    var secret = fields.get(SECRET_REF) instanceof Map<?, ?> map ? map : Map.of();
    return Optional.of(
        new SecretReference(text(secret, "name"), text(secret, "key"), text(fields, VERSION)));
  }

  /** Of the text that agents get; empty when it is none. */
  public static Optional<SecretReference> parse(String text) {
    return Optional.of(TEXT.matcher(text))
        .filter(Matcher::matches)
        .map(it -> new SecretReference(it.group(1), it.group(2), it.group(3)));
  }

  /** As it stands in the specs of Component and Group. */
  public Map<String, Object> asValue() {
    return new TreeMap<>(
        Map.of(SECRET_REF, new TreeMap<>(Map.of("name", name, "key", key)), VERSION, version));
  }

  Map<String, String> asVariable() {
    return Map.of(
        "name",
        name,
        "key",
        key,
        "nextKey",
        nextKey(key),
        "previousKey",
        previousKey(key),
        VERSION,
        version);
  }

  private static String text(Map<?, ?> fields, String name) {
    return fields.get(name) instanceof String text ? text : "";
  }

  /** As agents get it. */
  @Override
  public String toString() {
    return "%s/%s@%s".formatted(name, key, version);
  }
}
