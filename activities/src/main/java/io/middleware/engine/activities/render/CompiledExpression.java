package io.middleware.engine.activities.render;

import dev.cel.common.CelErrorCode;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import java.util.Map;
import java.util.regex.Pattern;

/** A compiled expression and the position of its first character. */
record CompiledExpression(String text, SourcePosition position, CelRuntime.Program program) {
  private static final Pattern LOCATION =
      Pattern.compile("^evaluation error( at <input>:[0-9]+)?: ");

  Object evaluate(Map<String, Object> variables) throws UnusableResultException {
    try {
      return program.eval(variables);
    } catch (CelEvaluationException e) {
      var hint =
          e.getErrorCode() == CelErrorCode.ATTRIBUTE_NOT_FOUND
              ? " (for a key that may be absent: map.?key)"
              : "";
      throw new UnusableResultException(LOCATION.matcher(e.getMessage()).replaceFirst("") + hint);
    }
  }
}
