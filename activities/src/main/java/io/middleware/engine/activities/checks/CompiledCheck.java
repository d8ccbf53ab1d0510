package io.middleware.engine.activities.checks;

import io.middleware.engine.api.check.Check;
import io.middleware.engine.planning.app.SpecDurations;
import io.middleware.engine.planning.condition.CheckScopes;
import io.middleware.engine.planning.condition.Condition;
import io.middleware.engine.planning.condition.Verdict;
import java.time.Duration;
import java.util.List;

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
   * @throws IllegalArgumentException when an expression does not compile, which the plan has
   *     checked
   */
  static CompiledCheck of(Check check) {
    var scope = CheckScopes.of(check);
    return new CompiledCheck(
        check.name(),
        SpecDurations.required(check.deadline()),
        SpecDurations.required(check.duration()),
        check.isOfAll(),
        check.conditions().stream().map(condition -> Condition.of(scope, condition)).toList());
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

  /** Whether a condition asks agents for something. */
  boolean asksAgents() {
    return conditions.stream().anyMatch(Condition.OfAnswers.class::isInstance);
  }

  Verdict verdict(List<Verdict> ofConditions) {
    return Verdict.of(all, ofConditions);
  }
}
