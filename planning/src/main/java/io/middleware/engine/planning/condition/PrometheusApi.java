package io.middleware.engine.planning.condition;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import io.middleware.engine.planning.condition.BoundedHttp.Reply;
import java.net.URI;
import java.net.URLEncoder;
import java.util.ArrayList;
import java.util.List;

/** Instant queries by Prometheus' HTTP API. Thread-safe. */
final class PrometheusApi implements PrometheusQueries {
  private final BoundedHttp http;

  PrometheusApi(BoundedHttp http) {
    this.http = http;
  }

  @Override
  public Samples query(URI url, String query) throws InterruptedException {
    var form = "query=" + URLEncoder.encode(query, UTF_8);
    return switch (http.post(url, "application/x-www-form-urlencoded", form)) {
      case Reply.Answered(var body) -> samples(body.path("data"));
      case Reply.Refused(var why) -> new Samples.Refused(why);
      case Reply.Unanswered(var why) -> new Samples.Unanswered(why);
    };
  }

  private static Samples samples(JsonNode data) {
    var type = data.path("resultType").asText();
    return switch (type) {
      case "vector" -> vector(data.path("result"));
      case "scalar" -> numbers(List.of(data.path("result")));
      case "" ->
          new Samples.Refused("the answer does not come from Prometheus: it has no resultType");
      default ->
          new Samples.Refused(
              "the query returns a %s, expected a vector or a scalar".formatted(type));
    };
  }

  private static Samples vector(JsonNode result) {
    var samples = new ArrayList<JsonNode>();
    result.forEach(series -> samples.add(series.path("value")));
    return numbers(samples);
  }

  /** Each is a time and a number, written as text. */
  private static Samples numbers(List<JsonNode> samples) {
    var values = new ArrayList<Double>();
    for (var sample : samples) {
      try {
        values.add(number(sample.path(1).asText()));
      } catch (NumberFormatException e) {
        return new Samples.Refused("the query returns samples that are not numbers");
      }
    }
    return new Samples.Values(values);
  }

  private static double number(String text) {
    return switch (text) {
      case "+Inf" -> Double.POSITIVE_INFINITY;
      case "-Inf" -> Double.NEGATIVE_INFINITY;
      default -> Double.parseDouble(text);
    };
  }
}
