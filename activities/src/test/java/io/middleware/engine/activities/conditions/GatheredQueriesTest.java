package io.middleware.engine.activities.conditions;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.activities.conditions.AnsweringServer.Answer;
import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Against a server that gives to {@code up + 7} the vector of 7, and to {@code 7} a scalar. */
class GatheredQueriesTest {
  private static final Pattern PART =
      Pattern.compile(
          "label_replace\\((vector)?\\(([^\\n]*)\\n\\), \"middleware_check\", \"(\\d+)\", \"\", \"\"\\)");
  private static final Pattern VECTOR = Pattern.compile("up \\+ (\\d+)");

  private final AnsweringServer server = new AnsweringServer();
  private final BoundedHttp http = BoundedHttp.create();
  private final GatheredQueries queries = new GatheredQueries(http, this::awaitAll);

  /** The queries of one call of {@code results}, and those that are answered. */
  private volatile int asked;

  private final AtomicInteger answered = new AtomicInteger();
  private final AtomicInteger rests = new AtomicInteger();

  GatheredQueriesTest() throws IOException {
    server.answers(body -> answer(query(body)));
  }

  @AfterEach
  void close() {
    http.close();
    server.close();
  }

  @Test
  void shouldSendManyQueriesAsOne() throws Exception {
    // Given
    var first = results(List.of("up + 0"));
    // When
    var results = results(IntStream.range(1, 40).mapToObj(i -> "up + " + i).toList());
    // Then
    assertThat(first).containsExactly(values(0));
    assertThat(results)
        .isEqualTo(IntStream.range(1, 40).mapToObj(GatheredQueriesTest::values).toList());
    assertThat(server.questions).hasSize(2);
  }

  @Test
  void shouldSendThoseOfASecondOfAThousandAppsAsOne() throws Exception {
    // Given
    var queriesOfASecond = IntStream.range(1, 150).mapToObj(i -> "up + " + i).toList();
    results(List.of("up + 0"));
    // When
    results(queriesOfASecond);
    // Then
    assertThat(server.questions).hasSize(2);
  }

  @Test
  void shouldSendWhatOneRequestCannotHoldASecondLater() throws Exception {
    // When
    var results = results(IntStream.range(0, 300).mapToObj(i -> "up + " + i).toList());
    // Then
    assertThat(results)
        .isEqualTo(IntStream.range(0, 300).mapToObj(GatheredQueriesTest::values).toList());
    assertThat(server.questions).extracting(it -> parts(it).size()).containsExactly(200, 100);
    assertThat(rests).hasValue(2);
    // When
    results(IntStream.range(0, 700).mapToObj(i -> "up + " + i).toList());
    // Then
    assertThat(server.questions).extracting(it -> parts(it).size()).endsWith(200, 200, 100, 200);
    assertThat(rests).hasValue(4);
  }

  @Test
  void shouldSendEqualQueriesOnce() throws Exception {
    // Given
    results(List.of("up + 0"));
    // When
    var results = results(List.of("up + 1", "up + 1", "up + 2"));
    // Then
    assertThat(results).containsExactly(values(1), values(1), values(2));
    assertThat(parts(server.questions.getLast())).hasSize(2);
  }

  @Test
  void shouldAskEachAloneWhenOneIsWrongAndKeepItOutLater() throws Exception {
    // Given
    results(List.of("up + 0"));
    // When
    var results = results(List.of("up + 1", "wrong", "up + 2"));
    // Then
    assertThat(results.get(0)).isEqualTo(values(1));
    assertThat(results.get(1)).isInstanceOf(Samples.Refused.class);
    assertThat(results.get(2)).isEqualTo(values(2));
    assertThat(server.questions).hasSize(1 + 1 + 3);
    // When
    results(List.of("up + 1", "wrong", "up + 2"));
    // Then
    assertThat(server.questions).hasSize(5 + 1 + 1);
  }

  @Test
  void shouldMakeAScalarPartOfAUnionOnceItIsKnown() throws Exception {
    // Given
    results(List.of("5"));
    // When
    var results = results(List.of("5", "up + 2"));
    // Then
    assertThat(results).containsExactly(values(5), values(2));
    assertThat(server.questions).hasSize(2);
  }

  @Test
  void shouldNotKnowAnyWhenPrometheusIsAway() throws Exception {
    // Given
    results(List.of("up + 0"));
    server.answers(503, "starting");
    // When Then
    assertThat(results(List.of("up + 1", "up + 2")))
        .hasOnlyElementsOfType(Samples.Unanswered.class);
    assertThat(server.questions).hasSize(3);
  }

  @Test
  void shouldKeepOutWhatIsSlow() throws Exception {
    // Given
    var hurried = new GatheredQueries(http.within(Duration.ofSeconds(1)), this::awaitAll);
    results(hurried, List.of("up + 0"));
    server.answers(
        body -> {
          if (body.contains("666")) {
            LockSupport.parkNanos(Duration.ofSeconds(3).toNanos());
          }
          return answer(query(body));
        });
    // When
    var results = results(hurried, List.of("up + 1", "up + 666", "up + 2"));
    // Then
    assertThat(results.get(0)).isEqualTo(values(1));
    assertThat(results.get(1)).isInstanceOf(Samples.Unanswered.class);
    assertThat(results.get(2)).isEqualTo(values(2));
    var before = server.questions.size();
    // When
    results(hurried, List.of("up + 1", "up + 666", "up + 2"));
    // Then
    assertThat(server.questions.subList(before, server.questions.size()))
        .noneMatch(question -> question.contains("label_replace") && question.contains("666"));
  }

  @Test
  void shouldSendShorterUnionsWhenTheyAreTooLong() throws Exception {
    // Given
    results(List.of("up + 0"));
    server.answers(
        body ->
            body.contains("label_replace")
                ? new Answer(200, "x".repeat(GatheredQueries.LARGEST_ANSWER + 1))
                : answer(query(body)));
    results(List.of("up + 1", "up + 2", "up + 3", "up + 4"));
    var before = server.questions.size();
    server.answers(body -> answer(query(body)));
    // When
    results(List.of("up + 5", "up + 6", "up + 7", "up + 8"));
    // Then
    assertThat(server.questions).hasSize(before + 2);
    // When
    results(IntStream.range(100, 220).mapToObj(i -> "up + " + i).toList());
    before = server.questions.size();
    results(List.of("up + 5", "up + 6", "up + 7", "up + 8"));
    // Then
    assertThat(server.questions).hasSize(before + 1);
  }

  @Test
  void shouldNotLetAQueryEscape() throws Exception {
    // Given
    results(List.of("up + 0"));
    // When
    results(List.of("up + 1", "up) or vector(1", "up + 2"));
    // Then
    assertThat(server.questions)
        .filteredOn(question -> question.contains("label_replace"))
        .singleElement()
        .satisfies(question -> assertThat(parts(question)).hasSize(2));
  }

  private static String query(String form) {
    return URLDecoder.decode(form.substring("query=".length()), UTF_8);
  }

  private List<Samples> results(List<String> asked) throws Exception {
    return results(queries, asked);
  }

  private List<Samples> results(GatheredQueries queries, List<String> texts) throws Exception {
    answered.set(0);
    asked = texts.size();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var calls =
          texts.stream().<Callable<Samples>>map(text -> () -> answer(queries, text)).toList();
      var results = new ArrayList<Samples>();
      for (Future<Samples> call : threads.invokeAll(calls)) {
        results.add(call.get());
      }
      return results;
    }
  }

  private Samples answer(GatheredQueries queries, String query) throws InterruptedException {
    try {
      return queries.query(URI.create(server.url()), query);
    } finally {
      answered.incrementAndGet();
    }
  }

  /** Instead of a second: however long they take to come, all are sent together. */
  private void awaitAll(Duration time, IntSupplier callers) throws InterruptedException {
    rests.incrementAndGet();
    while (callers.getAsInt() + answered.get() < asked) {
      Thread.sleep(1);
    }
  }

  private static Samples values(double value) {
    return new Samples.Values(List.of(value));
  }

  private static List<String> parts(String question) {
    return PART.matcher(URLDecoder.decode(question, UTF_8))
        .results()
        .map(part -> part.group(2))
        .toList();
  }

  private static Answer answer(String query) {
    var parts = PART.matcher(query).results().toList();
    if (!parts.isEmpty()) {
      var isWrong =
          parts.stream()
              .anyMatch(part -> part.group(1) == null && !VECTOR.matcher(part.group(2)).matches());
      return isWrong
          ? new Answer(400, "{\"error\": \"wrong\"}")
          : vector(
              parts.stream()
                  .map(part -> series(number(part.group(2)), part.group(3)))
                  .collect(joining(", ")));
    }
    if (query.matches("\\d+")) {
      return new Answer(
          200,
          "{\"data\": {\"resultType\": \"scalar\", \"result\": [1.5, \"%s\"]}}".formatted(query));
    }
    return VECTOR.matcher(query).matches()
        ? vector(series(number(query), ""))
        : new Answer(400, "{\"error\": \"wrong\"}");
  }

  private static Answer vector(String series) {
    return new Answer(
        200, "{\"data\": {\"resultType\": \"vector\", \"result\": [%s]}}".formatted(series));
  }

  private static String series(String value, String part) {
    return "{\"metric\": {\"middleware_check\": \"%s\"}, \"value\": [1.5, \"%s\"]}"
        .formatted(part, value);
  }

  private static String number(String query) {
    return query.replaceAll("\\D", "");
  }
}
