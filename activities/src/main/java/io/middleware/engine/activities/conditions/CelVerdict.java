package io.middleware.engine.activities.conditions;

import io.middleware.engine.activities.render.CheckExpression;
import io.middleware.engine.activities.render.ObjectSource;
import java.util.Map;

/** The verdict that an expression gives. */
public final class CelVerdict {
  private CelVerdict() {}

  /**
   * @param values of all its variables
   * @param actual what was found, for people
   */
  public static Verdict of(CheckExpression expression, Map<String, ?> values, String actual) {
    return of(expression, values, ObjectSource.NONE, actual);
  }

  /**
   * @param values of all its variables
   * @param objects that it may read
   * @param actual what was found, for people
   */
  public static Verdict of(
      CheckExpression expression, Map<String, ?> values, ObjectSource objects, String actual) {
    try {
      return expression.holds(values, objects)
          ? new Verdict.Holds(actual)
          : new Verdict.DoesNotHold(actual, after(actual, ", ") + "expected " + expression.text());
    } catch (CheckExpression.UndecidedException e) {
      return new Verdict.NotKnown(
          "%s%s: %s".formatted(after(actual, ": "), expression.text(), e.getMessage()));
    }
  }

  /** An expression may read objects alone. */
  private static String after(String actual, String separator) {
    return actual.isEmpty() ? "" : actual + separator;
  }
}
