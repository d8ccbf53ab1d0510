package io.middleware.engine.render.sensitive;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.hash.Hashing;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/**
 * Marks that stand for the sensitive values in a kept spec. Each holds a hash, by which the value
 * is found again where it stands anyway: in the App, or in its Components.
 *
 * @param app uid of the App, so that equal values of two Apps have different marks
 */
public record SensitiveMarks(String app) {
  private static final String START = SensitiveParameters.HIDDEN + " ";
  private static final int HASH_LENGTH = 32;

  /** The fields that hold parameters: in specs that are kept, and in all objects. */
  private static final Set<String> KEPT = Set.of("values");

  private static final Set<String> SHOWN = Set.of("values", "parameters");

  /** A copy of the spec with marks in place of the sensitive values. */
  public Map<String, Object> put(Map<?, ?> spec, SensitiveParameters sensitive) {
    return copy(
        spec,
        (name, value) ->
            value != null && sensitive.contain(name) && !SensitiveParameters.isReference(value)
                ? mark(name, value)
                : value);
  }

  /** A copy of an object of the engine that shows no sensitive value at all, nor a hash of it. */
  public static Map<String, Object> hidden(Map<?, ?> object, SensitiveParameters sensitive) {
    return copy(
        object,
        SHOWN,
        (name, value) ->
            value != null && sensitive.hide(name, value) ? SensitiveParameters.HIDDEN : value);
  }

  /** Whether it is a mark, not a value. */
  public static boolean isMark(Object value) {
    return value instanceof String text && text.startsWith(START);
  }

  /** Whether the spec has marks, so that values have to be found. */
  public static boolean areIn(Object spec) {
    return switch (spec) {
      case Map<?, ?> map -> map.values().stream().anyMatch(SensitiveMarks::areIn);
      case List<?> list -> list.stream().anyMatch(SensitiveMarks::areIn);
      case null, default -> isMark(spec);
    };
  }

  /**
   * A copy of the spec with the values that the sources have.
   *
   * @param sources specs of the App and of its Components
   * @return marks that stand for none of their values are still there
   */
  public Map<String, Object> resolve(Map<?, ?> spec, Stream<Map<?, ?>> sources) {
    Map<Object, Object> values = new HashMap<>();
    sources.forEach(source -> copy(source, (name, value) -> values.put(mark(name, value), value)));
    return copy(spec, (name, value) -> values.getOrDefault(value, value));
  }

  private String mark(String name, Object value) {
    var hash =
        Hashing.sha256().hashString("%s/%s=%s".formatted(app, name, value), UTF_8).toString();
    return START + hash.substring(0, HASH_LENGTH);
  }

  /**
   * @param edit makes the new value of a parameter, of its name and value
   */
  private static Map<String, Object> copy(Map<?, ?> tree, BiFunction<String, Object, Object> edit) {
    return copy(tree, KEPT, edit);
  }

  private static Map<String, Object> copy(
      Map<?, ?> tree, Set<String> named, BiFunction<String, Object, Object> edit) {
    Map<String, Object> copy = new LinkedHashMap<>();
    tree.forEach(
        (key, value) ->
            copy.put(
                (String) key,
                named.contains((String) key) && value instanceof Map<?, ?> values
                    ? edited(values, edit)
                    : any(value, named, edit)));
    return copy;
  }

  private static Map<String, Object> edited(
      Map<?, ?> values, BiFunction<String, Object, Object> edit) {
    Map<String, Object> edited = new LinkedHashMap<>();
    values.forEach((name, value) -> edited.put((String) name, edit.apply((String) name, value)));
    return edited;
  }

  private static Object any(
      Object value, Set<String> named, BiFunction<String, Object, Object> edit) {
    return switch (value) {
      case Map<?, ?> map -> copy(map, named, edit);
      case List<?> list -> list.stream().map(item -> any(item, named, edit)).toList();
      case null, default -> value;
    };
  }
}
