package io.middleware.engine.activities.conditions;

import io.middleware.engine.api.PrometheusCondition;
import io.middleware.engine.api.WebhookCondition;
import java.util.Set;
import java.util.stream.Stream;

/** Finds what is wrong with questions over HTTP, each with its place; their expressions aside. */
public final class SourceProblems {
  private SourceProblems() {}

  /** Of a query. */
  public static Stream<String> of(
      String place, PrometheusCondition query, Set<String> texts, EndpointPolicy endpoints) {
    return Stream.concat(
        placed(place + ".url", endpoints.prometheus(query.url()).problem().stream()),
        placed(place + ".query", QueryText.problems(query.query(), texts).stream()));
  }

  /** Of a question to a webhook. */
  public static Stream<String> of(
      String place, WebhookCondition question, EndpointPolicy endpoints) {
    return placed(place + ".url", endpoints.endpoint(question.url()).problem().stream());
  }

  private static Stream<String> placed(String place, Stream<String> problems) {
    return problems.map(problem -> place + ": " + problem);
  }
}
