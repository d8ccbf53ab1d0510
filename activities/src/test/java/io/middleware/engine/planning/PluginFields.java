package io.middleware.engine.planning;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The fields of the Plugin's schema that hold a value, such as {@code agent.port}, {@code
 * taskOrder[]} and {@code orderFallback{}}, and where a sample has them.
 */
final class PluginFields {
  private static final String EACH = "[]";
  private static final String ANY = "{}";

  private PluginFields() {}

  /** All of them, by path. */
  static List<String> of(Map<String, ?> schema) {
    return leaves("", schema).map(path -> path.substring(1)).toList();
  }

  private static Stream<String> leaves(String path, Map<String, ?> schema) {
    if (schema.get("items") instanceof Map<?, ?> items) {
      return leaves(path + EACH, cast(items));
    }
    if (schema.get("properties") instanceof Map<?, ?> fields) {
      return fields.entrySet().stream()
          .flatMap(
              field -> leaves(path + "." + field.getKey(), cast((Map<?, ?>) field.getValue())));
    }
    if (schema.get("additionalProperties") instanceof Map<?, ?> values) {
      return leaves(path + ANY, cast(values));
    }
    return Stream.of(path);
  }

  /**
   * Where the sample has a value of this path first: names of fields and numbers of elements; empty
   * when it has none.
   */
  static Optional<List<Object>> find(Object sample, String path) {
    return find(sample, List.of(path.replace(EACH, ".[]").replace(ANY, ".{}").split("\\.")));
  }

  private static Optional<List<Object>> find(Object at, List<String> path) {
    if (path.isEmpty()) {
      return Optional.of(List.of());
    }
    var rest = path.subList(1, path.size());
    Map<Object, Object> below = new LinkedHashMap<>();
    if (path.getFirst().equals(EACH) && at instanceof List<?> all) {
      for (var i = 0; i < all.size(); i++) {
        below.put(i, all.get(i));
      }
    } else if (path.getFirst().equals(ANY) && at instanceof Map<?, ?> all) {
      below.putAll(all);
    } else if (at instanceof Map<?, ?> all && all.containsKey(path.getFirst())) {
      below.put(path.getFirst(), all.get(path.getFirst()));
    }
    return below.entrySet().stream()
        .flatMap(entry -> find(entry.getValue(), rest).map(it -> with(entry.getKey(), it)).stream())
        .findFirst();
  }

  private static List<Object> with(Object first, List<Object> rest) {
    var all = new ArrayList<Object>(List.of(first));
    all.addAll(rest);
    return all;
  }

  static Object get(Object sample, List<Object> place) {
    var at = sample;
    for (var step : place) {
      at = at instanceof List<?> all ? all.get((Integer) step) : ((Map<?, ?>) at).get(step);
    }
    return at;
  }

  static void set(Object sample, List<Object> place, Object value) {
    var parent = get(sample, place.subList(0, place.size() - 1));
    if (parent instanceof List<?>) {
      PluginFields.<List<Object>>cast(parent).set((Integer) place.getLast(), value);
    } else {
      PluginFields.<Map<String, Object>>cast(parent).put((String) place.getLast(), value);
    }
  }

  /** Another value of the same kind. */
  static Object other(Object value) {
    return switch (value) {
      case Boolean flag -> !flag;
      case Integer number -> number + 1;
      case String time when time.matches("[0-9]+(ms|s|m|h)") ->
          Integer.parseInt(time.replaceAll("[^0-9]", "")) + 1 + time.replaceAll("[0-9]", "");
      default -> value + "x";
    };
  }

  @SuppressWarnings("unchecked")
  private static <T> T cast(Object tree) {
    return (T) tree;
  }
}
