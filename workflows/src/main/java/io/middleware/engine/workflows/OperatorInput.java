package io.middleware.engine.workflows;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What somebody typed, of whatever shape: what is not as it should be is left out, so that the
 * request is refused in our words and not in those of a parser, which would repeat all of it.
 */
record OperatorInput(Map<?, ?> fields) {

  static OperatorInput of(Object json) {
    return new OperatorInput(json instanceof Map<?, ?> fields ? fields : Collections.emptyMap());
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
