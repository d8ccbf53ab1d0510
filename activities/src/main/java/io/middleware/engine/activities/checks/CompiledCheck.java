package io.middleware.engine.activities.checks;

import io.middleware.engine.activities.plan.SpecDurations;
import io.middleware.engine.activities.render.CheckExpression;
import io.middleware.engine.activities.render.CheckScope;
import io.middleware.engine.api.AgentCondition;
import io.middleware.engine.api.Check;
import io.middleware.engine.api.CheckCondition;
import io.middleware.engine.api.CheckPoint;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A check whose expressions are compiled.
 *
 * @param all whether all conditions must hold, and not one of them
 */
record CompiledCheck(
    String name, Duration within, Duration keeps, boolean all, List<Condition> conditions) {
  CompiledCheck {
    conditions = List.copyOf(conditions);
  }

  /**
   * @param question empty: the expression is about the pods, and not about an answer
   */
  record Condition(CheckExpression expression, Optional<AgentCondition> question) {

    boolean needsRoles() {
      return expression.asksForRoles() || question.map(AgentCondition::role).isPresent();
    }
  }

  /**
   * @throws IllegalArgumentException when an expression does not compile, which the plan has
   *     checked
   */
  static CompiledCheck of(Check check) {
    var scope = CheckScope.of(check.point() == CheckPoint.GROUP);
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

  /** Whether a look needs the roles of all pods. */
  boolean needsRoles() {
    return conditions.stream().anyMatch(Condition::needsRoles);
  }

  Verdict verdict(List<Verdict> ofConditions) {
    return all ? Verdict.ofAll(ofConditions) : Verdict.ofAny(ofConditions);
  }

  private static Condition condition(CheckScope scope, CheckCondition condition) {
    var agent = condition.agent();
    return agent == null
        ? new Condition(CheckExpression.of(scope, condition.cel()), Optional.empty())
        : new Condition(CheckExpression.of(scope.answered(), agent.cel()), Optional.of(agent));
  }

  private static Duration duration(String text) {
    return SpecDurations.parse(text)
        .orElseThrow(() -> new IllegalArgumentException(text + " is not a duration"));
  }
}
