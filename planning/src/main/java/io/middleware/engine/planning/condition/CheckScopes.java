package io.middleware.engine.planning.condition;

import io.middleware.engine.api.check.Check;
import io.middleware.engine.api.check.CheckPoint;
import io.middleware.engine.render.expression.ConditionScope;

/** Which variables the expressions of a check have. */
public final class CheckScopes {
  private CheckScopes() {}

  /** By what the check is about: a pod, a group, or a whole component. */
  public static ConditionScope of(Check check) {
    if (check.isBeforePods()) {
      return ConditionScope.POD;
    }
    return ConditionScope.ofCheck(check.isAfter(CheckPoint.GROUP));
  }
}
