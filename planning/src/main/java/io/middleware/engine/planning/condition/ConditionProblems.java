package io.middleware.engine.planning.condition;

import io.middleware.engine.api.check.CheckCondition;
import io.middleware.engine.api.check.PrometheusCondition;
import io.middleware.engine.api.check.WebhookCondition;
import io.middleware.engine.api.testing.TestCondition;
import io.middleware.engine.render.expression.ConditionExpression;
import io.middleware.engine.render.expression.ConditionScope;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Finds conditions that cannot be asked, each with its place.
 *
 * @param scope in which they stand
 * @param endpoints to which they may send
 */
public record ConditionProblems(ConditionScope scope, EndpointPolicy endpoints) {

  /**
   * Of a check.
   *
   * @param place of what has the conditions, for example {@code spec.components[db].checks[calm]}
   * @param all whether all must hold
   * @param withoutAgents why there is no agent to ask; empty: there are agents
   */
  public Stream<String> ofCheck(
      String place, boolean all, List<CheckCondition> conditions, Optional<String> withoutAgents) {
    return each(place, all, conditions, (at, given) -> inCheck(at, given, withoutAgents));
  }

  /** Of a test, likewise. */
  public Stream<String> ofTest(String place, boolean all, List<TestCondition> conditions) {
    return each(
        place,
        all,
        conditions,
        (at, given) -> plain(at, given.cel(), given.prometheus(), given.webhook()));
  }

  private static <T> Stream<String> each(
      String place,
      boolean all,
      List<T> conditions,
      BiFunction<String, T, Stream<String>> problems) {
    return IntStream.range(0, conditions.size())
        .boxed()
        .flatMap(
            i ->
                problems.apply(
                    "%s.%s[%d]".formatted(place, all ? "allOf" : "anyOf", i), conditions.get(i)));
  }

  private Stream<String> inCheck(
      String place, CheckCondition given, Optional<String> withoutAgents) {
    var agent = given.agent();
    return agent == null
        ? plain(place, given.cel(), given.prometheus(), given.webhook())
        : Stream.concat(
            expression(place + ".agent.cel", scope.answered(), agent.cel()),
            withoutAgents.map(why -> place + ".agent: " + why).stream());
  }

  private Stream<String> plain(
      String place, String cel, PrometheusCondition query, WebhookCondition question) {
    if (question != null) {
      return url(place + ".webhook.url", endpoints.endpoint(question.url()));
    }
    return query == null
        ? expression(place + ".cel", scope, cel)
        : Stream.of(
                url(place + ".prometheus.url", endpoints.prometheus(query.url())),
                QueryText.problems(query.query(), scope.texts()).stream()
                    .map(problem -> place + ".prometheus.query: " + problem),
                expression(place + ".prometheus.cel", scope.sampled(), query.cel()))
            .flatMap(it -> it);
  }

  private static Stream<String> url(String place, EndpointPolicy.Endpoint endpoint) {
    return endpoint.problem().map(problem -> place + ": " + problem).stream();
  }

  private static Stream<String> expression(String place, ConditionScope scope, String text) {
    return ConditionExpression.problems(scope, text).stream().map(problem -> place + " " + problem);
  }
}
