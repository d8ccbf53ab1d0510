package io.middleware.engine.workflows.request;

import io.middleware.engine.api.task.Excerpt;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * JSON of any shape, as an operator typed it. The message about unreadable input is our own: a
 * parser's message would repeat all of the input.
 *
 * @param fields empty when there is a problem
 */
record OperatorInput(Map<?, ?> fields, Optional<String> problem) {
  private static final int LONGEST_QUOTE = 100;

  /** What a field may hold; null counts as absent. */
  enum Type {
    NAMES,
    NUMBER,
    TEXT,
    FLAG;

    private boolean fits(Object value) {
      return switch (this) {
        case NAMES -> value instanceof List<?>;
        case NUMBER -> value instanceof Integer || value instanceof Long;
        case TEXT -> value instanceof String;
        case FLAG -> value instanceof Boolean;
      };
    }
  }

  /** A field that an object may have. */
  record Field(String name, Type type) {}

  /**
   * Reads an object with some of these fields and no others.
   *
   * @param expected an example, for people
   */
  static OperatorInput of(Object json, String expected, List<Field> form) {
    if (!(json instanceof Map<?, ?> fields)) {
      return unreadable("cannot read " + quoted(json), expected);
    }
    return fields.entrySet().stream()
        .flatMap(field -> problem(field, form).stream())
        .findFirst()
        .map(problem -> unreadable(problem, expected))
        .orElseGet(() -> new OperatorInput(fields, Optional.empty()));
  }

  private static OperatorInput unreadable(String problem, String expected) {
    return new OperatorInput(Collections.emptyMap(), Optional.of(refusal(problem, expected)));
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

  /** The problem and what was expected, as one message. */
  static String refusal(String problem, String expected) {
    return problem + "; expected " + expected;
  }

  static String quoted(Object json) {
    var text = String.valueOf(json);
    var cut = Excerpt.of(text, LONGEST_QUOTE);
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

  Optional<String> text(String field) {
    return fields.get(field) instanceof String text ? Optional.of(text) : Optional.empty();
  }

  boolean isTrue(String field) {
    return Boolean.TRUE.equals(fields.get(field));
  }
}
