package io.middleware.engine.planning.condition;

import static java.util.stream.Collectors.joining;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A query with placeholders, such as {@code $(app)}. */
final class QueryText {
  private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\(([^()]*)\\)");

  private QueryText() {}

  /**
   * The placeholders that have no value.
   *
   * @param known the names that have one
   */
  static List<String> problems(String query, Set<String> known) {
    return PLACEHOLDER
        .matcher(query)
        .results()
        .map(found -> found.group(1))
        .filter(name -> !known.contains(name))
        .distinct()
        .map(name -> "unknown placeholder $(%s), known are %s".formatted(name, shown(known)))
        .toList();
  }

  /** The query with the values in place; what has no value stays as it is. */
  static String filled(String query, Map<String, ?> values) {
    return PLACEHOLDER
        .matcher(query)
        .replaceAll(
            found -> {
              var value = values.get(found.group(1));
              return Matcher.quoteReplacement(value instanceof String text ? text : found.group());
            });
  }

  private static String shown(Set<String> known) {
    return known.stream().sorted().map("$(%s)"::formatted).collect(joining(", "));
  }
}
