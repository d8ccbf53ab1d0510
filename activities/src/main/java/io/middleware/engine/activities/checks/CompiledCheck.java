package io.middleware.engine.activities.checks;

import io.middleware.engine.activities.conditions.Verdict;
import io.middleware.engine.activities.plan.SpecDurations;
import io.middleware.engine.activities.render.CheckExpression;
import io.middleware.engine.activities.render.CheckScope;
import io.middleware.engine.api.AgentCondition;
import io.middleware.engine.api.Check;
import io.middleware.engine.api.CheckCondition;
import io.middleware.engine.api.CheckPoint;
import io.middleware.engine.api.PrometheusCondition;
import io.middleware.engine.api.WebhookCondition;
import java.time.Duration;
import java.util.List;

/**
 * A check whose expressions are compiled.
 *
 * @param all whether all conditions must hold, and not one of them
 */
record CompiledCheck(
    String name, Duration within, Duration keeps, boolean all, List<Condition> conditions) {
  /** The variable that has the pods. */
  static final String NODES = "nodes";

  CompiledCheck {
    conditions = List.copyOf(conditions);
  }

  /** What is asked, and the expression that decides. */
  sealed interface Condition {
    record OfPods(CheckExpression expression) implements Condition {}

    record OfAnswers(AgentCondition question, CheckExpression expression) implements Condition {}

    record OfSamples(PrometheusCondition query, CheckExpression expression) implements Condition {}

    /** The server decides. */
    record OfWebhook(WebhookCondition question) implements Condition {}

    /** Whether a look needs the pods. */
    default boolean takesPods() {
      return switch (this) {
        case OfPods(var expression) -> expression.variables().contains(NODES);
        case OfSamples(var query, var expression) -> expression.variables().contains(NODES);
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
        case OfPods(var expression) -> expression.asksForRoles();
        case OfAnswers(var question, var expression) ->
            expression.asksForRoles() || question.role() != null;
        case OfSamples(var query, var expression) -> expression.asksForRoles();
        case OfWebhook(var question) -> false;
      };
    }
  }

  /**
   * @throws IllegalArgumentException when an expression does not compile, which the plan has
   *     checked
   */
  static CompiledCheck of(Check check) {
    var scope = CheckScope.of(check.isAfter(CheckPoint.GROUP));
    return new CompiledCheck(
        check.name(),
        duration(check.deadline()),
        duration(check.duration()),
        check.isOfAll(),
        check.conditions().stream().map(condition -> condition(scope, condition)).toList());
  }

  /** Whether it must keep holding, so that one look cannot decide. */
  boolean mustKeep() {
    return !keeps.isZero();
  }

  /** Whether a look needs the pods. */
  boolean takesPods() {
    return conditions.stream().anyMatch(Condition::takesPods);
  }

  /** Whether a look needs the roles of all pods. */
  boolean takesRoles() {
    return conditions.stream().anyMatch(Condition::takesRoles);
  }

  Verdict verdict(List<Verdict> ofConditions) {
    return all ? Verdict.ofAll(ofConditions) : Verdict.ofAny(ofConditions);
  }

  private static Condition condition(CheckScope scope, CheckCondition condition) {
    if (condition.webhook() != null) {
      return new Condition.OfWebhook(condition.webhook());
    }
    var query = condition.prometheus();
    if (query != null) {
      return new Condition.OfSamples(query, CheckExpression.of(scope.sampled(), query.cel()));
    }
    var agent = condition.agent();
    return agent == null
        ? new Condition.OfPods(CheckExpression.of(scope, condition.cel()))
        : new Condition.OfAnswers(agent, CheckExpression.of(scope.answered(), agent.cel()));
  }

  private static Duration duration(String text) {
    return SpecDurations.parse(text)
        .orElseThrow(() -> new IllegalArgumentException(text + " is not a duration"));
  }
}
