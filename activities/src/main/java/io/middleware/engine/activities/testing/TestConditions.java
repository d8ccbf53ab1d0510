package io.middleware.engine.activities.testing;

import io.middleware.engine.activities.conditions.ConcurrentLooks;
import io.middleware.engine.activities.conditions.HttpSources;
import io.middleware.engine.activities.conditions.Verdict;
import io.middleware.engine.activities.kubernetes.Faults;
import io.middleware.engine.activities.render.CheckExpression.UndecidedException;
import io.middleware.engine.activities.render.ObjectSource;
import io.middleware.engine.activities.render.TestExpression;
import io.middleware.engine.activities.render.TestScope;
import io.middleware.engine.api.PrometheusCondition;
import io.middleware.engine.api.WebhookCondition;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.api.testing.TestCondition;
import io.temporal.failure.ApplicationFailure;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

/**
 * Conditions of a test, of which all must hold, or one.
 *
 * @param all whether all must hold
 */
public record TestConditions(boolean all, List<Condition> conditions) {
  public TestConditions {
    conditions = List.copyOf(conditions);
  }

  /** What is asked, and the expression that decides. */
  sealed interface Condition {
    record OfObjects(TestExpression expression) implements Condition {}

    record OfSamples(PrometheusCondition query, TestExpression expression) implements Condition {}

    /** The server decides. */
    record OfWebhook(WebhookCondition question) implements Condition {}
  }

  /**
   * What conditions read.
   *
   * @param variables by name; each is asked for only when an expression reads it
   * @param objects what {@code object} reads; thread-safe
   * @param state what webhooks are to know; its texts replace placeholders of queries
   */
  public record Sources(
      Map<String, Supplier<Object>> variables,
      ObjectSource objects,
      Map<String, ?> state,
      HttpSources http) {
    public Sources {
      variables = Map.copyOf(variables);
      state = Map.copyOf(state);
    }
  }

  /**
   * @throws IllegalArgumentException when one does not compile, which {@link TestConditionProblems}
   *     tells before
   */
  public static TestConditions of(TestScope scope, boolean all, List<TestCondition> conditions) {
    return new TestConditions(
        all, conditions.stream().map(condition -> condition(scope, condition)).toList());
  }

  private static Condition condition(TestScope scope, TestCondition condition) {
    if (condition.webhook() != null) {
      return new Condition.OfWebhook(condition.webhook());
    }
    var query = condition.prometheus();
    return query == null
        ? new Condition.OfObjects(TestExpression.of(scope, condition.cel()))
        : new Condition.OfSamples(query, TestExpression.of(scope.sampled(), query.cel()));
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
    return atOnce(
        conditions.stream()
            .<Callable<Verdict>>map(condition -> () -> verdict(condition, sources))
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

  private static Verdict verdict(Condition condition, Sources sources) throws InterruptedException {
    return switch (condition) {
      case Condition.OfObjects(var expression) -> {
        var values = values(expression, sources, Map.of());
        yield verdict(expression, values, sources, "");
      }
      case Condition.OfSamples(var query, var expression) ->
          sources
              .http()
              .prometheus()
              .ask(
                  query,
                  sources.state(),
                  (result, actual) ->
                      verdict(
                          expression,
                          values(expression, sources, Map.of("result", result)),
                          sources,
                          actual));
      case Condition.OfWebhook(var question) ->
          sources.http().webhooks().ask(question, sources.state());
    };
  }

  /**
   * @param given what was found; empty: what the expression has read
   */
  private static Verdict verdict(
      TestExpression expression, Map<String, Object> values, Sources sources, String given) {
    try {
      var found = expression.holds(values, sources.objects());
      var actual = given.isEmpty() ? actual(found) : given;
      return Boolean.TRUE.equals(found.value())
          ? new Verdict.Holds(actual)
          : new Verdict.DoesNotHold(actual, "%s, expected %s".formatted(actual, expression.text()));
    } catch (ApplicationFailure e) {
      if (saysNothing(e)) {
        throw e;
      }
      return notKnown(expression, given, e.getOriginalMessage());
    } catch (UndecidedException e) {
      return notKnown(expression, given, e.getMessage());
    }
  }

  private static String actual(TestExpression.Found found) {
    return found.actual().isEmpty() ? String.valueOf(found.value()) : found.actual();
  }

  private static Verdict notKnown(TestExpression expression, String given, String why) {
    return new Verdict.NotKnown(
        "%s%s: %s".formatted(given.isEmpty() ? "" : given + ": ", expression.text(), why));
  }

  /** Of the objects: there was no look at them. A kind that is unknown may become known. */
  private static boolean saysNothing(ApplicationFailure e) {
    return !e.isNonRetryable() || FaultKind.FORBIDDEN.label().equals(e.getType());
  }

  private static Map<String, Object> values(
      TestExpression expression, Sources sources, Map<String, Object> given) {
    var values = new TreeMap<>(given);
    for (var name : expression.variables()) {
      values.computeIfAbsent(name, it -> sources.variables().get(it).get());
    }
    return values;
  }
}
