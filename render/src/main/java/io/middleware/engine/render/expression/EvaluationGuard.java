package io.middleware.engine.render.expression;

import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.runtime.CelEvaluationListener;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Takes each step of one evaluation from the budget. Called by CEL after every part of an
 * expression, so it sees the arguments of a call before the call is made.
 */
final class EvaluationGuard implements CelEvaluationListener {
  /** Their results are one of their arguments, or truth. */
  private static final Set<String> PASSING = Set.of("_?_:_", "_&&_", "_||_", "_[_]");

  private final Map<Long, CostlyCall> costly;
  private final Map<Long, Object> arguments = new HashMap<>();
  private final RenderBudget budget;

  EvaluationGuard(Map<Long, CostlyCall> costly, RenderBudget budget) {
    this.costly = costly;
    this.budget = budget;
  }

  @Override
  public void callback(CelExpr expression, Object value) {
    budget.step(value);
    if (isNew(expression)) {
      budget.take(value);
    }
    if (!costly.isEmpty()) {
      argument(expression.id(), value);
    }
  }

  private void argument(long id, Object value) {
    arguments.put(id, value);
    var call = costly.get(id);
    if (call != null) {
      List<Object> values = new ArrayList<>(call.arguments().size());
      call.arguments().forEach(argument -> values.add(arguments.get(argument)));
      call.take(values, budget);
    }
  }

  private static boolean isNew(CelExpr expression) {
    return switch (expression.getKind()) {
      case LIST, MAP, STRUCT, COMPREHENSION -> true;
      case CALL ->
          !PASSING.contains(expression.call().function()) && !isLoopStep(expression.call());
      case CONSTANT, IDENT, SELECT, NOT_SET -> false;
    };
  }

  /** The list of a loop grows in place; it is counted at the end of the loop. */
  private static boolean isLoopStep(CelExpr.CelCall call) {
    return call.function().equals("_+_")
        && call.args().getFirst().getKind() == Kind.IDENT
        && call.args().getFirst().ident().name().startsWith("@");
  }
}
