package io.middleware.engine.workflows.request;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What somebody typed, of whatever shape. What cannot be read is told in our words and not in those
 * of a parser, which would repeat all of it.
 *
 * @param fields empty where there is a problem
 */
record OperatorInput(Map<?, ?> fields, Optional<String> problem) {
  private static final int LONGEST_QUOTE = 100;

  /** What a field may hold; null is as good as no field. */
  enum Type {
    NAMES,
    NUMBER,
    FLAG;

    private boolean fits(Object value) {
      return switch (this) {
        case NAMES -> value instanceof List<?>;
        case NUMBER -> value instanceof Integer || value instanceof Long;
        case FLAG -> value instanceof Boolean;
      };
    }
  }

  /** What may be in an object. */
  record Field(String name, Type type) {}

  /**
   * An object with some of these fields and no others.
   *
   * @param wanted an example, for people
   */
  static OperatorInput of(Object json, String wanted, List<Field> form) {
    if (!(json instanceof Map<?, ?> fields)) {
      return unreadable("cannot read " + quoted(json), wanted);
    }
    return fields.entrySet().stream()
        .flatMap(field -> problem(field, form).stream())
        .findFirst()
        .map(problem -> unreadable(problem, wanted))
        .orElseGet(() -> new OperatorInput(fields, Optional.empty()));
  }

  private static OperatorInput unreadable(String problem, String wanted) {
    return new OperatorInput(Collections.emptyMap(), Optional.of(words(problem, wanted)));
  }

  private static Optional<String> problem(Map.Entry<?, ?> field, List<Field> form) {
    var known = form.stream().filter(one -> one.name().equals(field.getKey())).findFirst();
    if (known.isEmpty()) {
      return Optional.of("there is no field " + quoted(field.getKey()));
    }
    return field.getValue() == null || known.get().type().fits(field.getValue())
        ? Optional.empty()
        : Optional.of(field.getKey() + " cannot be " + quoted(field.getValue()));
  }

  /** A problem as the answer to who asked. */
  static String words(String problem, String wanted) {
    return problem + "; wanted is " + wanted;
  }

  static String quoted(Object json) {
    var words = String.valueOf(json);
    var cut = words.length() > LONGEST_QUOTE ? words.substring(0, LONGEST_QUOTE) + "…" : words;
    return json instanceof String ? '"' + cut + '"' : cut;
  }

  List<String> names(String field) {
    return fields.get(field) instanceof List<?> names
        ? names.stream().map(String::valueOf).distinct().toList()
        : List.of();
  }

  Optional<Long> number(String field) {
    return fields.get(field) instanceof Number number
        ? Optional.of(number.longValue())
        : Optional.empty();
  }

  boolean isTrue(String field) {
    return Boolean.TRUE.equals(fields.get(field));
  }
}
