package io.middleware.engine.render;

import io.middleware.engine.render.expression.CompiledExpression;
import io.middleware.engine.render.expression.RenderBudget;
import io.middleware.engine.render.expression.UnusableResultException;
import io.middleware.engine.render.guard.ObjectPath;

/** An expression that is true or false for a group. */
record CompiledCondition(String name, ObjectPath path, CompiledExpression expression) {

  /**
   * @throws TemplateException when it cannot be evaluated with these values
   */
  boolean holds(RenderContext context, RenderBudget budget) {
    var errors = new TemplateErrors(name);
    try {
      if (expression.evaluate(context.variables(), budget) instanceof Boolean truth) {
        return truth;
      }
      errors.add(path, expression.position(), "is neither true nor false");
    } catch (UnusableResultException e) {
      errors.add(path, expression.position(), e.getMessage());
    }
    errors.throwIfAny();
    return false;
  }
}
