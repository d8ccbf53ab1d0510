package io.middleware.engine.render.expression;

import dev.cel.common.CelErrorCode;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelEvaluationListener;
import dev.cel.runtime.CelFunctionResolver;
import dev.cel.runtime.CelRuntime;
import java.util.Map;
import java.util.regex.Pattern;

/** A compiled expression and the position of its first character. */
public record CompiledExpression(
    String text,
    SourcePosition position,
    CelRuntime.Program program,
    Map<Long, CostlyCall> costlyCalls) {
  private static final Pattern ARGUMENTS =
      Pattern.compile("Function '([^']*)' failed with arg\\(s\\) ");
  private static final Pattern LOCATION =
      Pattern.compile("^evaluation error( at <input>:[0-9]+)?: ");

  public CompiledExpression {
    costlyCalls = Map.copyOf(costlyCalls);
  }

  public Object evaluate(Map<String, Object> variables, RenderBudget budget)
      throws UnusableResultException {
    return evaluate(guard -> program.trace(variables, guard), budget);
  }

  /** The same, with functions for this evaluation. */
  Object evaluate(Map<String, Object> variables, CelFunctionResolver functions, RenderBudget budget)
      throws UnusableResultException {
    return evaluate(variables, functions, budget, (expression, value) -> {});
  }

  /**
   * The same.
   *
   * @param listener is told the value of each part that is evaluated
   */
  Object evaluate(
      Map<String, Object> variables,
      CelFunctionResolver functions,
      RenderBudget budget,
      CelEvaluationListener listener)
      throws UnusableResultException {
    return evaluate(
        guard ->
            program.trace(
                variables,
                functions,
                (expression, value) -> {
                  guard.callback(expression, value);
                  listener.callback(expression, value);
                }),
        budget);
  }

  /** Watched by a guard. */
  private interface Evaluation {
    Object trace(EvaluationGuard guard) throws CelEvaluationException;
  }

  private Object evaluate(Evaluation evaluation, RenderBudget budget)
      throws UnusableResultException {
    budget.beginExpression();
    try {
      var result = evaluation.trace(new EvaluationGuard(costlyCalls, budget));
      budget.output(result);
      requireWithin(budget);
      return result;
    } catch (RenderBudget.BudgetExceededException e) {
      throw new UnusableResultException(e.getMessage());
    } catch (CelEvaluationException e) {
      requireWithin(budget);
      if (e.getErrorCode() == CelErrorCode.ATTRIBUTE_NOT_FOUND) {
        throw new MissingKeyException(message(e) + " (for a key that may be absent: map.?key)");
      }
      throw new UnusableResultException(message(e));
    }
  }

  /** Without the arguments of a function that failed: they may be long, or confidential. */
  private static String message(CelEvaluationException failure) {
    var message = LOCATION.matcher(failure.getMessage()).replaceFirst("");
    var function = ARGUMENTS.matcher(message);
    if (!function.lookingAt()) {
      return message;
    }
    var cause = failure.getCause() == null ? null : failure.getCause().getMessage();
    return "function '%s' failed".formatted(function.group(1))
        + (cause == null ? "" : ": " + cause);
  }

  /** CEL may recover from the failure of one part. */
  private static void requireWithin(RenderBudget budget) throws UnusableResultException {
    if (budget.exceeded().isPresent()) {
      throw new UnusableResultException(budget.exceeded().get());
    }
  }
}
