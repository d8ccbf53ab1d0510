package io.middleware.engine.planning.app;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses the durations of Apps and plugins: {@code 500ms}, {@code 30s}, {@code 5m}, {@code 1h}. */
public final class SpecDurations {
  private static final Pattern FORM = Pattern.compile("([0-9]{1,9})(ms|s|m|h)");
  private static final Map<String, LongFunction<Duration>> UNITS =
      Map.of(
          "ms", Duration::ofMillis,
          "s", Duration::ofSeconds,
          "m", Duration::ofMinutes,
          "h", Duration::ofHours);

  private SpecDurations() {}

  /**
   * Empty when the text is none.
   *
   * @param text may be null
   */
  public static Optional<Duration> parse(String text) {
    return Optional.ofNullable(text)
        .map(FORM::matcher)
        .filter(Matcher::matches)
        .map(match -> UNITS.get(match.group(2)).apply(Long.parseLong(match.group(1))));
  }

  /**
   * The duration of a field whose schema lets no other text pass.
   *
   * @throws IllegalArgumentException when the text is none
   */
  public static Duration required(String text) {
    return parse(text).orElseThrow(() -> new IllegalArgumentException(text + " is not a duration"));
  }
}
