package io.middleware.engine.render.schema;

import io.middleware.engine.render.schema.SchemaRules.RuledObject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** One check of one object: collects the problems and adds the defaults. */
final class SchemaCheck {
  private static final Set<String> NOT_IN_SCHEMA = Set.of("apiVersion", "kind", "metadata");

  private final List<String> problems = new ArrayList<>();
  private final List<RuledObject> ruled = new ArrayList<>();

  List<String> problems() {
    return problems;
  }

  /** The objects with rules, which are evaluated only if there are no problems. */
  List<RuledObject> ruled() {
    return ruled;
  }

  /** Checks a whole object except its metadata, which Kubernetes itself checks. */
  Map<String, Object> object(Map<?, ?> schema, Map<String, Object> manifest) {
    var properties = new LinkedHashMap<Object, Object>((Map<?, ?>) schema.get("properties"));
    NOT_IN_SCHEMA.forEach(
        name -> properties.put(name, Map.of("x-kubernetes-preserve-unknown-fields", true)));
    var whole = new LinkedHashMap<Object, Object>(schema);
    whole.put("properties", properties);
    return mapping(whole, manifest, "");
  }

  static String below(String path, String field) {
    return path.isEmpty() && field.startsWith(".") ? field.substring(1) : path + field;
  }

  private Object value(Map<?, ?> schema, Object value, String path) {
    if (!isOfType(schema, value)) {
      problems.add(
          "%s: Invalid value: \"%s\": %s in body must be of type %s: \"%s\""
              .formatted(path, typeOf(value), path, schema.get("type"), typeOf(value)));
      return value;
    }
    if (value == null) {
      return null;
    }
    oneOf(schema, value, path);
    return switch (value) {
      case Map<?, ?> map -> mapping(schema, map, path);
      case List<?> list -> list(schema, list, path);
      case String text -> text(schema, text, path);
      case Number number -> number(schema, number, path);
      default -> value;
    };
  }

  private Map<String, Object> mapping(Map<?, ?> schema, Map<?, ?> map, String path) {
    atMost(schema, "maxProperties", map.size(), path);
    var properties = (Map<?, ?>) Objects.requireNonNullElse(schema.get("properties"), Map.of());
    Map<String, Object> completed = new LinkedHashMap<>();
    map.forEach(
        (key, field) -> {
          if (field != null) {
            var fieldPath = below(path, "." + key);
            completed.put(key.toString(), field(schema, properties.get(key), field, fieldPath));
          }
        });
    properties.forEach(
        (key, property) -> {
          var standard = ((Map<?, ?>) property).get("default");
          if (standard != null && !completed.containsKey(key)) {
            var fieldPath = below(path, "." + key);
            completed.put(key.toString(), value((Map<?, ?>) property, standard, fieldPath));
          }
        });
    if (schema.get("required") instanceof List<?> required) {
      required.stream()
          .filter(key -> !completed.containsKey(key))
          .forEach(key -> problems.add(below(path, "." + key) + ": Required value"));
    }
    if (schema.get("x-kubernetes-validations") instanceof List<?> rules) {
      ruled.add(new RuledObject(rules, completed, path));
    }
    return completed;
  }

  /**
   * @param property the schema of the field; null if it has none
   */
  private Object field(Map<?, ?> schema, Object property, Object field, String path) {
    if (property instanceof Map<?, ?> known) {
      return value(known, field, path);
    }
    if (schema.get("additionalProperties") instanceof Map<?, ?> any) {
      return value(any, field, path);
    }
    if (!Boolean.TRUE.equals(schema.get("x-kubernetes-preserve-unknown-fields"))) {
      problems.add("unknown field \"" + path + "\"");
    }
    return field;
  }

  private List<Object> list(Map<?, ?> schema, List<?> list, String path) {
    atMost(schema, "maxItems", list.size(), path);
    if (list.size() < limit(schema, "minItems", 0)) {
      invalid(path, list.size(), "should have at least " + schema.get("minItems") + " items");
    }
    List<Object> completed = new ArrayList<>();
    for (var i = 0; i < list.size(); i++) {
      var item = list.get(i);
      var fieldPath = path + "[" + i + "]";
      completed.add(
          schema.get("items") instanceof Map<?, ?> any ? value(any, item, fieldPath) : item);
    }
    if (schema.get("x-kubernetes-list-map-keys") instanceof List<?> keys) {
      refuseDuplicates(completed, keys, path);
    }
    return completed;
  }

  private void refuseDuplicates(List<Object> items, List<?> keys, String path) {
    var seen = new HashSet<List<?>>();
    for (var i = 0; i < items.size(); i++) {
      if (items.get(i) instanceof Map<?, ?> item) {
        var identity = keys.stream().<Object>map(item::get).toList();
        if (!seen.add(identity)) {
          problems.add("%s[%d]: Duplicate value: %s".formatted(path, i, identity));
        }
      }
    }
  }

  private String text(Map<?, ?> schema, String text, String path) {
    var longest = limit(schema, "maxLength", Long.MAX_VALUE);
    if (text.length() > longest) {
      problems.add("%s: Too long: may not be more than %d bytes".formatted(path, longest));
    }
    if (text.length() < limit(schema, "minLength", 0)) {
      invalid(path, text, "should be at least " + schema.get("minLength") + " chars long");
    }
    if (schema.get("pattern") instanceof String pattern
        && !Pattern.compile(pattern).matcher(text).find()) {
      invalid(path, text, "should match '" + pattern + "'");
    }
    return text;
  }

  private Number number(Map<?, ?> schema, Number number, String path) {
    if (number.longValue() < limit(schema, "minimum", Long.MIN_VALUE)) {
      invalid(path, number, "should be greater than or equal to " + schema.get("minimum"));
    }
    if (number.longValue() > limit(schema, "maximum", Long.MAX_VALUE)) {
      invalid(path, number, "should be less than or equal to " + schema.get("maximum"));
    }
    return number;
  }

  private void oneOf(Map<?, ?> schema, Object value, String path) {
    if (schema.get("enum") instanceof List<?> allowed && !allowed.contains(value)) {
      problems.add(
          "%s: Unsupported value: \"%s\": supported values: %s"
              .formatted(
                  path,
                  value,
                  allowed.stream()
                      .map(one -> '"' + one.toString() + '"')
                      .collect(Collectors.joining(", "))));
    }
  }

  private void atMost(Map<?, ?> schema, String limit, int size, String path) {
    var most = limit(schema, limit, Long.MAX_VALUE);
    if (size > most) {
      problems.add("%s: Too many: %d: must have at most %d items".formatted(path, size, most));
    }
  }

  private void invalid(String path, Object value, String what) {
    problems.add("%s: Invalid value: \"%s\": %s in body %s".formatted(path, value, path, what));
  }

  private static long limit(Map<?, ?> schema, String name, long otherwise) {
    return schema.get(name) instanceof Number limit ? limit.longValue() : otherwise;
  }

  private static boolean isOfType(Map<?, ?> schema, Object value) {
    return switch (String.valueOf(schema.get("type"))) {
      case "null" -> true;
      case "object" -> value instanceof Map;
      case "array" -> value instanceof List;
      case "string" -> value instanceof String;
      case "boolean" -> value instanceof Boolean;
      case "integer" -> value instanceof Integer || value instanceof Long;
      default -> value instanceof Number;
    };
  }

  private static String typeOf(Object value) {
    return switch (value) {
      case null -> "null";
      case Map<?, ?> map -> "object";
      case List<?> list -> "array";
      case String text -> "string";
      case Boolean truth -> "boolean";
      case Integer number -> "integer";
      case Long number -> "integer";
      default -> "number";
    };
  }
}
