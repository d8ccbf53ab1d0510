package io.middleware.engine.watcher.schedule;

import com.cronutils.model.Cron;
import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import io.middleware.engine.api.BackupSettings;
import io.middleware.engine.api.backup.BackupSpec;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * When the backups of an App are due. A cron schedule that restricts both the day of the month and
 * the day of the week means the days of either. Temporal would take only days that are both, so
 * there are two expressions for it then.
 *
 * @param expressions of five fields each
 */
public record BackupTimes(List<String> expressions, ZoneId zone) {
  /** How late a run may still begin, for example after Temporal was away. */
  public static final Duration CATCH_UP = Duration.ofHours(1);

  private static final CronParser PARSER =
      new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.UNIX));

  private static final Map<String, String> NICKNAMES =
      Map.of(
          "@yearly", "0 0 1 1 *",
          "@annually", "0 0 1 1 *",
          "@monthly", "0 0 1 * *",
          "@weekly", "0 0 * * 0",
          "@daily", "0 0 * * *",
          "@midnight", "0 0 * * *",
          "@hourly", "0 * * * *");

  private static final String UTC = "UTC";
  private static final int FIELDS = 5;
  private static final int DAY_OF_MONTH = 2;
  private static final int DAY_OF_WEEK = 4;

  /** Times that the clock skips in spring follow each other at most so often. */
  private static final int MOST_SKIPPED = 60;

  public BackupTimes {
    expressions = List.copyOf(expressions);
  }

  /** Empty when no backup is due ever, or schedule or time zone cannot be read. */
  public static Optional<BackupTimes> of(BackupSettings settings) {
    return settings == null || !settings.isScheduled()
        ? Optional.empty()
        : of(settings.schedule(), settings.timeZone());
  }

  /**
   * The times of this schedule; empty when it or its time zone cannot be read.
   *
   * @param timeZone null for UTC
   */
  public static Optional<BackupTimes> of(String schedule, String timeZone) {
    try {
      var zone = ZoneId.of(timeZone == null ? UTC : timeZone);
      var expressions = expressions(NICKNAMES.getOrDefault(schedule, schedule));
      expressions.forEach(expression -> PARSER.parse(expression).validate());
      return Optional.of(new BackupTimes(expressions, zone));
    } catch (IllegalArgumentException | DateTimeException e) {
      return Optional.empty();
    }
  }

  /** The last time at which one was due, not after the given one. */
  public Optional<Instant> last(Instant until) {
    return times(until.plusMillis(1), ExecutionTime::lastExecution).max(Instant::compareTo);
  }

  /** The first time after the given one at which one is due. */
  public Optional<Instant> next(Instant after) {
    return times(after, ExecutionTime::nextExecution).min(Instant::compareTo);
  }

  private Stream<Instant> times(Instant from, Step step) {
    return expressions.stream()
        .map(PARSER::parse)
        .flatMap(cron -> time(cron, from.atZone(zone), step).stream());
  }

  /** Temporal leaves out what the clock skips; the library moves it. */
  private static Optional<Instant> time(Cron cron, ZonedDateTime from, Step step) {
    var times = ExecutionTime.forCron(cron);
    Function<ZonedDateTime, Optional<ZonedDateTime>> following = time -> step.of(times, time);
    var found = following.apply(from);
    for (int tries = 0; tries < MOST_SKIPPED; tries++) {
      if (found.isEmpty() || times.isMatch(found.get())) {
        break;
      }
      found = found.flatMap(following);
    }
    return found.map(ZonedDateTime::toInstant);
  }

  private interface Step {
    Optional<ZonedDateTime> of(ExecutionTime times, ZonedDateTime from);
  }

  private static List<String> expressions(String schedule) {
    var fields = schedule.split(" ");
    if (fields.length != FIELDS
        || fields[DAY_OF_MONTH].startsWith("*")
        || fields[DAY_OF_WEEK].startsWith("*")) {
      return List.of(schedule);
    }
    return List.of(with(fields, DAY_OF_WEEK), with(fields, DAY_OF_MONTH));
  }

  private static String with(String[] fields, int anyDay) {
    var changed = fields.clone();
    changed[anyDay] = "*";
    return String.join(" ", changed);
  }

  /**
   * How long the catch-up of a missed time lasts, and then a backup.
   *
   * @param settings null for the defaults
   */
  public static Duration grace(BackupSettings settings) {
    return CATCH_UP.plus(
        Optional.ofNullable(settings)
            .map(BackupSettings::timeout)
            .flatMap(BackupTimes::duration)
            .orElse(BackupSpec.DEFAULT_TIMEOUT));
  }

  /** In the form that the schema lets in. */
  private static Optional<Duration> duration(String text) {
    try {
      return Optional.of(
          text.endsWith("ms")
              ? Duration.ofMillis(Long.parseLong(text.substring(0, text.length() - 2)))
              : Duration.parse("PT" + text));
    } catch (IllegalArgumentException | DateTimeException e) {
      return Optional.empty();
    }
  }
}
