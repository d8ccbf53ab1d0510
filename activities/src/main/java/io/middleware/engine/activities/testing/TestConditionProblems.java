package io.middleware.engine.activities.testing;

import io.middleware.engine.activities.conditions.EndpointPolicy;
import io.middleware.engine.activities.conditions.SourceProblems;
import io.middleware.engine.activities.render.TestExpression;
import io.middleware.engine.activities.render.TestScope;
import io.middleware.engine.api.testing.TestCondition;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Finds conditions of a test that cannot be asked, each with its place.
 *
 * @param endpoints to which the conditions may send
 */
record TestConditionProblems(TestScope scope, EndpointPolicy endpoints) {

  /**
   * What is wrong in a list.
   *
   * @param place of the list, for example {@code spec.steps[1].ready.allOf}
   */
  List<String> in(String place, List<TestCondition> conditions) {
    return IntStream.range(0, conditions.size())
        .boxed()
        .flatMap(i -> in("%s[%d]".formatted(place, i), conditions.get(i)))
        .toList();
  }

  private Stream<String> in(String place, TestCondition condition) {
    if (condition.webhook() != null) {
      return SourceProblems.of(place + ".webhook", condition.webhook(), endpoints);
    }
    var query = condition.prometheus();
    return query == null
        ? expression(place + ".cel", scope, condition.cel())
        : Stream.concat(
            SourceProblems.of(place + ".prometheus", query, scope.texts(), endpoints),
            expression(place + ".prometheus.cel", scope.sampled(), query.cel()));
  }

  private static Stream<String> expression(String place, TestScope scope, String text) {
    return TestExpression.problems(scope, text).stream().map(problem -> place + " " + problem);
  }
}
