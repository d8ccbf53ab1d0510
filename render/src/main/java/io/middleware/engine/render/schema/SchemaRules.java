package io.middleware.engine.render.schema;

import dev.cel.common.CelValidationException;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import io.middleware.engine.render.expression.CelValues;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Evaluates the rules of schemas ({@code x-kubernetes-validations}), except those on edits. */
final class SchemaRules {
  /** The variable that only rules on edits use. */
  private static final String BEFORE = "oldSelf";

  /**
   * The only field whose name CEL has reserved. Rules call it {@code __for__}, as the API server
   * does.
   */
  private static final String RESERVED = "for";

  private final CelCompiler compiler =
      CelCompilerFactory.standardCelCompilerBuilder()
          .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
          .addVar("self", SimpleType.DYN)
          .build();
  private final CelRuntime runtime = CelRuntimeFactory.legacyCelRuntimeBuilder().build();

  /** An object at a path that has rules. */
  record RuledObject(List<?> rules, Map<String, Object> self, String path) {}

  List<String> problems(List<RuledObject> objects) {
    return objects.stream()
        .flatMap(
            object ->
                object.rules().stream().flatMap(rule -> problem((Map<?, ?>) rule, object).stream()))
        .toList();
  }

  private Optional<String> problem(Map<?, ?> rule, RuledObject object) {
    var condition = rule.get("rule").toString();
    var self = Map.<String, Object>of("self", CelValues.fromPlain(escaped(object.self())));
    if (condition.contains(BEFORE) || Boolean.TRUE.equals(evaluate(condition, self))) {
      return Optional.empty();
    }
    var message =
        rule.get("message") == null
            ? evaluate(rule.get("messageExpression").toString(), self)
            : rule.get("message");
    var field = rule.get("fieldPath") == null ? "" : rule.get("fieldPath").toString();
    return Optional.of(SchemaCheck.below(object.path(), field) + ": Forbidden: " + message);
  }

  private static Map<String, Object> escaped(Map<String, Object> self) {
    if (!self.containsKey(RESERVED)) {
      return self;
    }
    var fields = new LinkedHashMap<>(self);
    fields.put("__" + RESERVED + "__", fields.remove(RESERVED));
    return fields;
  }

  private Object evaluate(String expression, Map<String, Object> variables) {
    try {
      return runtime.createProgram(compiler.compile(expression).getAst()).eval(variables);
    } catch (CelValidationException | CelEvaluationException e) {
      throw new IllegalStateException(
          "cannot evaluate the schema's rule " + expression + ": " + e, e);
    }
  }
}
