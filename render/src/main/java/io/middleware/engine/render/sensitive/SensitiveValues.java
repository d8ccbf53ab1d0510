package io.middleware.engine.render.sensitive;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import com.google.common.collect.EvictingQueue;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.stream.Stream;

/**
 * The values of sensitive parameters that this process has used, by App. A message of a template,
 * of the API server or of an agent may quote them, so each message is cleaned before it leaves the
 * process. Messages about other Apps are not touched.
 */
public final class SensitiveValues {
  /** A shorter value would also hide ordinary words. */
  static final int SHORTEST = 6;

  private static final int MOST_APPS = 10_000;
  private static final int MOST_VALUES = 200;
  private static final String CUT = "…";

  /** Of a value that a message was cut in. */
  private static final int SHORTEST_START = 3;

  private final Cache<String, Queue<String>> known =
      CacheBuilder.newBuilder().maximumSize(MOST_APPS).build();

  /**
   * From now on no message about the App shows these values.
   *
   * @param app its uid
   * @param values by parameter name; may be null
   */
  public void remember(String app, SensitiveParameters sensitive, Map<String, ?> values) {
    if (values == null) {
      return;
    }
    var found =
        values.entrySet().stream()
            .filter(entry -> sensitive.hide(entry.getKey(), entry.getValue()))
            .map(entry -> String.valueOf(entry.getValue()))
            .filter(value -> value.length() >= SHORTEST)
            .toList();
    if (!found.isEmpty()) {
      add(app, found);
    }
  }

  private void add(String app, List<String> values) {
    known
        .asMap()
        .compute(
            app,
            (uid, before) -> {
              var after = EvictingQueue.<String>create(MOST_VALUES);
              Stream.ofNullable(before).flatMap(Queue::stream).forEach(after::add);
              values.stream().filter(value -> !after.contains(value)).forEach(after::add);
              return after;
            });
  }

  /**
   * The message without the values.
   *
   * @param app the uid of the App that the message is about
   * @param message null stays null
   */
  public String hide(String app, String message) {
    var values = known.getIfPresent(app);
    if (message == null || values == null) {
      return message;
    }
    var hidden = message;
    for (var form : longestFirst(values)) {
      hidden = without(form, hidden);
    }
    return hidden;
  }

  /** One value may be part of another. */
  private static List<String> longestFirst(Queue<String> values) {
    return values.stream()
        .flatMap(SensitiveValues::forms)
        .distinct()
        .sorted(Comparator.comparingInt(String::length).reversed())
        .toList();
  }

  /** As it is, as YAML and JSON quote it, and as a Secret holds it. */
  private static Stream<String> forms(String value) {
    return Stream.of(
        value,
        new String(JsonStringEncoder.getInstance().quoteAsString(value)),
        Base64.getEncoder().encodeToString(value.getBytes(UTF_8)));
  }

  /** A message may have been cut in the middle of the value. */
  private static String without(String value, String message) {
    var hidden = message.replace(value, SensitiveParameters.HIDDEN);
    for (var length = value.length() - 1;
        hidden.contains(CUT) && length >= SHORTEST_START;
        length--) {
      hidden = hidden.replace(value.substring(0, length) + CUT, SensitiveParameters.HIDDEN + CUT);
    }
    return hidden;
  }
}
