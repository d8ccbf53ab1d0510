package io.middleware.engine.activities.testing;

import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.api.testing.TestCondition;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.planning.condition.ConcurrentLooks;
import io.middleware.engine.planning.condition.Condition;
import io.middleware.engine.planning.condition.ConditionSources;
import io.middleware.engine.planning.condition.Verdict;
import io.middleware.engine.render.expression.ConditionScope;
import io.temporal.failure.ApplicationFailure;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * Conditions of a test, of which all must hold, or one.
 *
 * @param all whether all must hold
 */
public record TestConditions(boolean all, List<Condition.Plain> conditions) {
  public TestConditions {
    conditions = List.copyOf(conditions);
  }

  /**
   * @throws IllegalArgumentException when one does not compile
   */
  public static TestConditions of(
      ConditionScope scope, boolean all, List<TestCondition> conditions) {
    return new TestConditions(
        all, conditions.stream().map(condition -> Condition.of(scope, condition)).toList());
  }

  /**
   * The verdict on all of them, by one look.
   *
   * @throws ApplicationFailure when the API server does not answer for now, or refuses to let the
   *     account read
   */
  public Verdict verdict(ConditionSources sources) {
    return Verdict.of(all, verdicts(sources));
  }

  /** The verdicts on each, in their order. */
  public List<Verdict> verdicts(ConditionSources sources) {
    return atOnce(
        conditions.stream()
            .<Callable<Verdict>>map(condition -> () -> sources.verdict(condition))
            .toList());
  }

  /** The results of these looks, which are taken together. */
  static <T> List<T> atOnce(List<Callable<T>> looks) {
    try {
      return ConcurrentLooks.results(looks);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Faults.of(FaultKind.UNAVAILABLE, "interrupted while looking at conditions");
    }
  }
}
