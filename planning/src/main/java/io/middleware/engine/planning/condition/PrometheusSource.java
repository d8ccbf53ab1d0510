package io.middleware.engine.planning.condition;

import static java.util.stream.Collectors.joining;

import io.middleware.engine.api.check.PrometheusCondition;
import io.middleware.engine.planning.condition.EndpointPolicy.Endpoint;
import java.util.List;
import java.util.Map;

/** Asks Prometheus by instant queries. Thread-safe. */
final class PrometheusSource {
  private static final int MOST_SHOWN = 8;

  private final PrometheusQueries queries;
  private final EndpointPolicy policy;

  PrometheusSource(PrometheusQueries queries, EndpointPolicy policy) {
    this.queries = queries;
    this.policy = policy;
  }

  /** Decides on the values of a result. */
  @FunctionalInterface
  interface Decision {
    /**
     * @param actual the values, for people
     */
    Verdict on(List<Double> result, String actual);
  }

  /**
   * The verdict that is decided on the result of the query. Not known when Prometheus does not
   * answer. When it refuses the query, or gives no samples, the condition does not hold.
   *
   * @param texts replace placeholders of the query
   */
  Verdict ask(PrometheusCondition condition, Map<String, ?> texts, Decision decision)
      throws InterruptedException {
    return switch (samples(condition, QueryText.filled(condition.query(), texts))) {
      case Samples.Values(var values) ->
          measured(condition, values, decision.on(values, "result = " + shown(values)));
      case Samples.Refused(var why) -> new Verdict.DoesNotHold("no result", why);
      case Samples.Unanswered(var why) -> new Verdict.NotKnown(why);
    };
  }

  private static Verdict measured(
      PrometheusCondition condition, List<Double> values, Verdict verdict) {
    return verdict instanceof Verdict.Holds(var actual)
        ? SampleDoubts.of(condition.cel(), values)
            .<Verdict>map(doubt -> new Verdict.NotKnown("%s: %s".formatted(actual, doubt)))
            .orElse(verdict)
        : verdict;
  }

  private Samples samples(PrometheusCondition condition, String query) throws InterruptedException {
    return switch (policy.prometheus(condition.url())) {
      case Endpoint.Refused(var why) -> new Samples.Refused(why);
      case Endpoint.Allowed(var url) -> queries.query(url, query);
    };
  }

  private static String shown(List<Double> values) {
    var others = values.size() - MOST_SHOWN;
    return values.stream()
        .limit(MOST_SHOWN)
        .map(String::valueOf)
        .collect(joining(", ", "[", others > 0 ? " and %d more]".formatted(others) : "]"));
  }
}
