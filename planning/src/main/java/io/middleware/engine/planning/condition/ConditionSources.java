package io.middleware.engine.planning.condition;

import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.render.expression.ConditionExpression;
import io.middleware.engine.render.expression.ConditionExpression.UndecidedException;
import io.middleware.engine.render.expression.ObjectSource;
import io.temporal.failure.ApplicationFailure;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What conditions read, by one look, and what it says about them.
 *
 * @param variables by name; each is asked for only when an expression reads it
 * @param shown of an expression over objects, what people are shown of the variables; empty: what
 *     it has read
 * @param objects what {@code object} reads; thread-safe
 * @param state what webhooks are to know; its texts replace placeholders of queries
 */
public record ConditionSources(
    Map<String, Supplier<Object>> variables,
    Function<ConditionExpression, Optional<String>> shown,
    ObjectSource objects,
    Map<String, ?> state,
    HttpSources http) {
  public ConditionSources {
    variables = Map.copyOf(variables);
    state = Collections.unmodifiableMap(new TreeMap<>(state));
  }

  /**
   * The verdict on a condition.
   *
   * @throws ApplicationFailure when the API server does not answer for now, or refuses to let the
   *     account read
   */
  public Verdict verdict(Condition.Plain condition) throws InterruptedException {
    return switch (condition) {
      case Condition.OfObjects(var expression) ->
          verdict(expression, Map.of(), shown.apply(expression));
      case Condition.OfSamples(var query, var expression) ->
          http.prometheus()
              .ask(
                  query,
                  state,
                  (result, actual) ->
                      verdict(expression, Map.of("result", result), Optional.of(actual)));
      case Condition.OfWebhook(var question) -> http.webhooks().ask(question, state);
    };
  }

  /**
   * The verdict that an expression gives.
   *
   * @param more variables
   * @param found what people are shown; empty: what the expression has read
   * @throws ApplicationFailure likewise
   */
  public Verdict verdict(
      ConditionExpression expression, Map<String, ?> more, Optional<String> found) {
    var values = values(expression, more);
    try {
      var truth = expression.holds(values, objects);
      var actual = found.orElseGet(() -> read(truth));
      return truth.isTrue()
          ? new Verdict.Holds(actual)
          : new Verdict.DoesNotHold(actual, after(actual, ", ") + "expected " + expression.text());
    } catch (ApplicationFailure e) {
      if (saysNothing(e)) {
        throw e;
      }
      return notKnown(expression, found, e.getOriginalMessage());
    } catch (UndecidedException e) {
      return notKnown(expression, found, e.getMessage());
    }
  }

  private Map<String, Object> values(ConditionExpression expression, Map<String, ?> more) {
    var values = new TreeMap<String, Object>(more);
    for (var name : expression.variables()) {
      values.computeIfAbsent(name, it -> variables.get(it).get());
    }
    return values;
  }

  private static String read(ConditionExpression.Found found) {
    return found.actual().isEmpty() ? String.valueOf(found.value()) : found.actual();
  }

  private static Verdict notKnown(
      ConditionExpression expression, Optional<String> found, String why) {
    return new Verdict.NotKnown(
        "%s%s: %s".formatted(after(found.orElse(""), ": "), expression.text(), why));
  }

  /** A check may read objects alone: then there are no values to show. */
  private static String after(String actual, String separator) {
    return actual.isEmpty() ? "" : actual + separator;
  }

  /** Of the objects: there was no look at them. A kind that is unknown may become known. */
  private static boolean saysNothing(ApplicationFailure e) {
    return !e.isNonRetryable() || FaultKind.FORBIDDEN.label().equals(e.getType());
  }
}
