package io.middleware.engine.planning.condition;

import io.middleware.engine.api.check.AgentCondition;
import io.middleware.engine.api.check.CheckCondition;
import io.middleware.engine.api.check.PrometheusCondition;
import io.middleware.engine.api.check.WebhookCondition;
import io.middleware.engine.api.testing.TestCondition;
import io.middleware.engine.render.expression.ConditionExpression;
import io.middleware.engine.render.expression.ConditionScope;

/** What is asked, and the expression that decides, compiled. */
public sealed interface Condition {
  /** What checks and tests can ask alike. */
  sealed interface Plain extends Condition {}

  /** Nothing is asked: the expression reads pods or objects. */
  record OfObjects(ConditionExpression expression) implements Plain {}

  record OfSamples(PrometheusCondition query, ConditionExpression expression) implements Plain {}

  /** The server decides. */
  record OfWebhook(WebhookCondition question) implements Plain {}

  /** Only checks ask agents. */
  record OfAnswers(AgentCondition question, ConditionExpression expression) implements Condition {}

  /**
   * Of a check.
   *
   * @throws IllegalArgumentException when it does not compile, which {@link ConditionProblems}
   *     tells before
   */
  static Condition of(ConditionScope scope, CheckCondition given) {
    var agent = given.agent();
    return agent == null
        ? plain(scope, given.cel(), given.prometheus(), given.webhook())
        : new OfAnswers(agent, ConditionExpression.of(scope.answered(), agent.cel()));
  }

  /**
   * Of a test.
   *
   * @throws IllegalArgumentException likewise
   */
  static Plain of(ConditionScope scope, TestCondition given) {
    return plain(scope, given.cel(), given.prometheus(), given.webhook());
  }

  private static Plain plain(
      ConditionScope scope, String cel, PrometheusCondition query, WebhookCondition question) {
    if (question != null) {
      return new OfWebhook(question);
    }
    return query == null
        ? new OfObjects(ConditionExpression.of(scope, cel))
        : new OfSamples(query, ConditionExpression.of(scope.sampled(), query.cel()));
  }

  /** Whether a look needs the pods. */
  default boolean takesPods() {
    return switch (this) {
      case OfObjects(var expression) -> expression.variables().contains(ConditionScope.NODES);
      case OfSamples(var query, var expression) ->
          expression.variables().contains(ConditionScope.NODES);
      case OfAnswers answers -> true;
      case OfWebhook webhook -> true;
    };
  }

  /** Whether a look needs the roles of pods. */
  default boolean takesRoles() {
    return this instanceof OfWebhook || needsRoles();
  }

  /** Whether it cannot be decided while a role is not known. */
  default boolean needsRoles() {
    return switch (this) {
      case OfObjects(var expression) -> expression.asksForRoles();
      case OfAnswers(var question, var expression) ->
          expression.asksForRoles() || question.role() != null;
      case OfSamples(var query, var expression) -> expression.asksForRoles();
      case OfWebhook(var question) -> false;
    };
  }
}
