package io.middleware.engine.planning.condition;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.Maps;
import io.middleware.engine.api.check.PrometheusCondition;
import io.middleware.engine.render.expression.ConditionExpression;
import io.middleware.engine.render.expression.ConditionScope;
import io.middleware.engine.render.expression.ObjectSource;
import java.io.IOException;
import java.net.URLDecoder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PrometheusSourceTest {
  private static final Map<String, Object> VARIABLES =
      Map.of(
          "namespace", "shop",
          "app", "cache",
          "component", "db",
          "group", "g",
          "runtime", Map.of("name", "redis", "version", "7.2"),
          "replicas", 1,
          "nodes", List.of());

  private final AnsweringServer server = new AnsweringServer();
  private final HttpSources sources = HttpSources.of(EndpointPolicy.of(List.of(), server.url()));

  PrometheusSourceTest() throws IOException {}

  @AfterEach
  void close() {
    sources.close();
    server.close();
  }

  @Test
  void shouldAskForTheGroup() throws InterruptedException {
    // Given
    server.answers(200, vector("0.25", "+Inf"));
    // When
    var verdict = ask("lag{app=\"$(app)\"} + on() up", "result[0] < 1.0 && result[1] > 5.0");
    // Then
    assertThat(verdict).isEqualTo(new Verdict.Holds("result = [0.25, Infinity]"));
    assertThat(URLDecoder.decode(server.questions.getFirst(), UTF_8))
        .isEqualTo("/api/v1/query query=lag{app=\"cache\"} + on() up");
  }

  @Test
  void shouldSayWhatItHasFound() throws InterruptedException {
    server.answers(200, vector("5", "1", "1", "1", "1", "1", "1", "1", "1", "1"));
    assertThat(ask("lag", "result[0] < 1.0"))
        .isEqualTo(
            new Verdict.DoesNotHold(
                "result = [5.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0 and 2 more]",
                "result = [5.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0 and 2 more], expected result[0] <"
                    + " 1.0"));
  }

  @Test
  void shouldTakeAScalarAsAListOfOne() throws InterruptedException {
    server.answers(
        200,
        "{\"status\": \"success\", \"data\": {\"resultType\": \"scalar\", \"result\": [1.5, \"3\"]}}");
    assertThat(ask("scalar(lag)", "result == [3.0]")).isInstanceOf(Verdict.Holds.class);
  }

  @Test
  void shouldNotHoldForWhatIsNoNumber() throws InterruptedException {
    server.answers(200, vector("NaN"));
    assertThat(ask("0 / 0", "result[0] < 1.0")).isInstanceOf(Verdict.DoesNotHold.class);
  }

  @Test
  void shouldNotKnowWithoutSamples() throws InterruptedException {
    server.answers(200, vector());
    assertThat(ask("absent", "result[0] < 1.0"))
        .isInstanceOfSatisfying(
            Verdict.NotKnown.class,
            verdict -> assertThat(verdict.why()).startsWith("result = []: result[0] < 1.0: "));
    assertThat(ask("absent", "size(result) == 0")).isInstanceOf(Verdict.Holds.class);
  }

  @ParameterizedTest
  @CsvSource({
    "'NaN', '!(result[0] > 5.0)', a sample is NaN",
    "'', 'result.all(it, it < 5.0)', the query gives no samples",
    "'1;7;9', 'result[0] < 5.0', the query gives 3 samples of which only 1 are looked at",
  })
  void shouldNotHoldForWhatWasNotMeasured(String values, String cel, String why)
      throws InterruptedException {
    // Given
    server.answers(200, vector(values.isEmpty() ? new String[0] : values.split(";")));
    // When
    var verdict = ask("lag", cel);
    // Then
    assertThat(verdict).isInstanceOf(Verdict.NotKnown.class);
    assertThat(verdict.message().replace(",", "")).contains(why);
  }

  @ParameterizedTest
  @CsvSource({
    "'1;2', 'result[0] < 5.0 && result[1] < 5.0'",
    "'1;2;3', 'result.all(it, it < 5.0)'",
    "'1;2;3', 'size(result) == 3 && result[0] < 5.0'",
  })
  void shouldHoldForWhatWasMeasured(String values, String cel) throws InterruptedException {
    server.answers(200, vector(values.split(";")));
    assertThat(ask("lag", cel)).isInstanceOf(Verdict.Holds.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "400 | {\"status\": \"error\", \"errorType\": \"bad_data\", \"error\": \"parse error\"} | answers 400: parse error",
        "200 | {\"status\": \"success\", \"data\": {\"resultType\": \"matrix\", \"result\": []}} | the query returns a matrix, expected a vector or a scalar",
        "200 | {\"data\": {\"resultType\": \"vector\", \"result\": [{\"histogram\": []}]}} | the "
            + "query returns samples that are not numbers",
        "200 | {\"status\": \"up\"} | the answer does not come from Prometheus: it has no "
            + "resultType",
        "200 | <html> | the answer is not valid JSON: <html>",
      })
  void shouldNotHoldWhereTheQueryIsRefused(int status, String body, String why)
      throws InterruptedException {
    // Given
    server.answers(status, body);
    // When
    var verdict = ask("lag", "result[0] < 1.0");
    // Then
    assertThat(verdict).isInstanceOf(Verdict.DoesNotHold.class);
    assertThat(verdict.message()).endsWith(why);
  }

  @Test
  void shouldNotKnowWherePrometheusIsAway() throws InterruptedException {
    server.answers(503, "{\"status\": \"error\", \"error\": \"query timed out\"}");
    assertThat(ask("lag", "result[0] < 1.0"))
        .isEqualTo(
            new Verdict.NotKnown(server.url() + "/api/v1/query answers 503: query timed out"));
    server.close();
    assertThat(ask("lag + 0", "result[0] < 1.0").message())
        .startsWith("not known: %s/api/v1/query cannot be reached".formatted(server.url()));
  }

  private Verdict ask(String query, String cel) throws InterruptedException {
    return new ConditionSources(
            Maps.transformValues(VARIABLES, value -> () -> value),
            expression -> Optional.empty(),
            ObjectSource.NONE,
            VARIABLES,
            sources)
        .verdict(
            new Condition.OfSamples(
                new PrometheusCondition(null, query, cel),
                ConditionExpression.of(ConditionScope.GROUP.sampled(), cel)));
  }

  private static String vector(String... values) {
    var samples =
        List.of(values).stream()
            .map(
                value ->
                    "{\"metric\": {\"pod\": \"p\"}, \"value\": [1.5, \"%s\"]}".formatted(value))
            .toList();
    return "{\"status\": \"success\", \"data\": {\"resultType\": \"vector\", \"result\": %s}}"
        .formatted(samples);
  }
}
