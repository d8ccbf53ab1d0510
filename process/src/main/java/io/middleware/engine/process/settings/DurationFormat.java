package io.middleware.engine.process.settings;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Durations as people write them: {@code 30s}, {@code 5m}, {@code 1h30m}, {@code 500ms}. */
final class DurationFormat {
  private static final Pattern FORM =
      Pattern.compile(
          "(?=.)(?:(\\d{1,9})h)?(?:(\\d{1,9})m(?!s))?(?:(\\d{1,9})s)?(?:(\\d{1,9})ms)?");

  private DurationFormat() {}

  static Optional<Duration> of(String text) {
    var match = FORM.matcher(text);
    return match.matches() ? Optional.of(sum(match)) : Optional.empty();
  }

  private static Duration sum(MatchResult match) {
    return Duration.ofHours(number(match, 1))
        .plusMinutes(number(match, 2))
        .plusSeconds(number(match, 3))
        .plusMillis(number(match, 4));
  }

  private static long number(MatchResult match, int group) {
    String digits = match.group(group);
    return digits == null ? 0 : Long.parseLong(digits);
  }
}
