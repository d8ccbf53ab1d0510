package io.middleware.engine.planning.condition;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Why an expression that is true of the samples of a query has not shown that the condition holds:
 * what was not measured has not passed.
 */
final class SampleDoubts {
  private static final Pattern COUNTED =
      Pattern.compile(
          "size\\(\\s*result\\s*\\)|\\bresult\\.size\\(|\\bresult\\s*[=!]=|[=!]=\\s*result\\b");

  /** Macros and functions of a list. */
  private static final Pattern TAKEN_AS_A_WHOLE =
      Pattern.compile("\\bresult\\.[a-z]\\w*\\(|\\bin\\s+result\\b");

  private static final Pattern ELEMENT = Pattern.compile("\\bresult\\s*\\[\\s*(\\d+)\\s*]");

  private SampleDoubts() {}

  /**
   * @param cel that is true of the samples
   */
  static Optional<String> of(String cel, List<Double> samples) {
    if (COUNTED.matcher(cel).find()) {
      return Optional.empty();
    }
    if (samples.isEmpty()) {
      return Optional.of(
          "the query gives no samples: require some, or allow none, with size(result)");
    }
    if (samples.stream().anyMatch(value -> value.isNaN())) {
      return Optional.of(
          "a sample is NaN (not a number): give it a value in the query, for example with \"> 0 or vector(0)\"");
    }
    var elements =
        ELEMENT.matcher(cel).results().map(it -> Integer.valueOf(it.group(1))).distinct().count();
    return elements > 0 && elements < samples.size() && !TAKEN_AS_A_WHOLE.matcher(cel).find()
        ? Optional.of(
            "the query gives %d samples, of which only %d are looked at: aggregate them in the query, or use result.all()"
                .formatted(samples.size(), elements))
        : Optional.empty();
  }
}
