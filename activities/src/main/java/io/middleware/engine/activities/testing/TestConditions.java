package io.middleware.engine.activities.testing;

import io.middleware.engine.activities.conditions.Verdict;
import io.middleware.engine.activities.render.CheckExpression.UndecidedException;
import io.middleware.engine.activities.render.ObjectSource;
import io.middleware.engine.activities.render.TestExpression;
import io.middleware.engine.activities.render.TestScope;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.api.testing.TestCondition;
import io.temporal.failure.ApplicationFailure;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Conditions of a test, of which all must hold, or one.
 *
 * @param all whether all must hold
 */
public record TestConditions(boolean all, List<TestExpression> expressions) {
  public TestConditions {
    expressions = List.copyOf(expressions);
  }

  /**
   * What expressions read.
   *
   * @param variables by name; each is asked for only when an expression reads it
   * @param objects what {@code object} reads
   */
  public record Sources(Map<String, Supplier<Object>> variables, ObjectSource objects) {
    public Sources {
      variables = Map.copyOf(variables);
    }
  }

  /**
   * @throws IllegalArgumentException when one does not compile, which {@link #problems} tells
   *     before
   */
  public static TestConditions of(TestScope scope, boolean all, List<TestCondition> conditions) {
    return new TestConditions(
        all,
        conditions.stream().map(condition -> TestExpression.of(scope, condition.cel())).toList());
  }

  /**
   * What is wrong, each with its place.
   *
   * @param place of the list, for example {@code spec.steps[1].ready.allOf}
   */
  public static List<String> problems(
      String place, TestScope scope, List<TestCondition> conditions) {
    return IntStream.range(0, conditions.size())
        .boxed()
        .flatMap(
            i ->
                TestExpression.problems(scope, conditions.get(i).cel()).stream()
                    .map(problem -> "%s[%d].cel %s".formatted(place, i, problem)))
        .toList();
  }

  /**
   * The verdict on all of them, by one look.
   *
   * @throws ApplicationFailure when the API server does not answer for now, or refuses to let the
   *     account read
   */
  public Verdict verdict(Sources sources) {
    var verdicts = verdicts(sources);
    return all ? Verdict.ofAll(verdicts) : Verdict.ofAny(verdicts);
  }

  /** The verdicts on each, in their order. */
  public List<Verdict> verdicts(Sources sources) {
    return expressions.stream().map(expression -> verdict(expression, sources)).toList();
  }

  private static Verdict verdict(TestExpression expression, Sources sources) {
    try {
      var found = expression.holds(values(expression, sources), sources.objects());
      var actual = found.actual().isEmpty() ? String.valueOf(found.value()) : found.actual();
      return Boolean.TRUE.equals(found.value())
          ? new Verdict.Holds(actual)
          : new Verdict.DoesNotHold(actual, "%s, expected %s".formatted(actual, expression.text()));
    } catch (ApplicationFailure e) {
      if (saysNothing(e)) {
        throw e;
      }
      return new Verdict.NotKnown("%s: %s".formatted(expression.text(), e.getOriginalMessage()));
    } catch (UndecidedException e) {
      return new Verdict.NotKnown("%s: %s".formatted(expression.text(), e.getMessage()));
    }
  }

  /** Of the objects: there was no look at them. A kind that is unknown may become known. */
  private static boolean saysNothing(ApplicationFailure e) {
    return !e.isNonRetryable() || FaultKind.FORBIDDEN.label().equals(e.getType());
  }

  private static Map<String, Object> values(TestExpression expression, Sources sources) {
    var values = new TreeMap<String, Object>();
    for (var name : expression.variables()) {
      values.put(name, sources.variables().get(name).get());
    }
    return values;
  }
}
