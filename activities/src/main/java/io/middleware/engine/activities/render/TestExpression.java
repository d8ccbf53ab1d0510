package io.middleware.engine.activities.render;

import static java.util.stream.Collectors.toCollection;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelValidationException;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.common.navigation.CelNavigableAst;
import dev.cel.common.navigation.CelNavigableExpr;
import dev.cel.common.types.CelKind;
import dev.cel.common.types.SimpleType;
import dev.cel.runtime.CelEvaluationException;
import io.middleware.engine.activities.render.CheckExpression.UndecidedException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * An expression of a test: a condition, or a value that is injected. It reads objects as they are
 * now. Its work is bounded. Thread-safe.
 */
public final class TestExpression {
  private final CompiledExpression compiled;
  private final CelNavigableExpr root;
  private final Set<String> variables;

  private TestExpression(
      CompiledExpression compiled, CelAbstractSyntaxTree checked, TestScope scope) {
    this.compiled = compiled;
    this.root = CelNavigableAst.fromAst(checked).getRoot();
    this.variables =
        root.allNodes()
            .filter(node -> node.getKind() == Kind.IDENT)
            .map(node -> node.expr().ident().name())
            .filter(scope.variableNames()::contains)
            .collect(toCollection(TreeSet::new));
  }

  /**
   * What an evaluation has found.
   *
   * @param value true or false of a condition, a text of a value
   * @param actual the fields that were read; may be empty
   */
  public record Found(Object value, String actual) {}

  /**
   * @throws IllegalArgumentException naming the places and problems
   */
  public static TestExpression of(TestScope scope, String text) {
    var problems = problems(scope, text);
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException(String.join("; ", problems));
    }
    try {
      return compile(scope, text);
    } catch (CelValidationException | CelEvaluationException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  /**
   * Why the expression cannot be used, each problem after its place: {@code (1:8): undeclared
   * reference to 'node'}.
   */
  public static List<String> problems(TestScope scope, String text) {
    if (text == null || text.isBlank()) {
      return List.of("(1:1): the expression is empty");
    }
    try {
      compile(scope, text);
      return List.of();
    } catch (CelValidationException e) {
      return e.getErrors().stream().map(CheckExpression::placed).toList();
    } catch (CelEvaluationException e) {
      return List.of("(1:1): " + e.getMessage());
    }
  }

  private static TestExpression compile(TestScope scope, String text)
      throws CelValidationException, CelEvaluationException {
    var environment = scope.environment();
    var checked = environment.check(text);
    var type = checked.getResultType();
    var wanted = scope == TestScope.INJECTION ? SimpleType.STRING : SimpleType.BOOL;
    if (type.kind() != wanted.kind() && type.kind() != CelKind.DYN) {
      throw new CelEvaluationException(
          "it gives a value of type %s, not %s".formatted(type.name(), inWords(scope)));
    }
    ObjectFunction.refuseSecrets(checked);
    var compiled =
        new CompiledExpression(
            text.strip(),
            new SourcePosition(1, 1),
            environment.program(checked),
            CostlyCall.in(checked));
    return new TestExpression(compiled, checked, scope);
  }

  private static String inWords(TestScope scope) {
    return scope == TestScope.INJECTION ? "a text" : "true or false";
  }

  /** As it was written. */
  public String text() {
    return compiled.text();
  }

  /** The names of the variables that it reads. */
  public Set<String> variables() {
    return variables;
  }

  /**
   * Whether it is true.
   *
   * @param values of all variables that it reads
   */
  public Found holds(Map<String, ?> values, ObjectSource source) throws UndecidedException {
    var found = evaluate(values, source);
    if (found.value() instanceof Boolean) {
      return found;
    }
    throw new UndecidedException("it gives %s, not true or false".formatted(found.value()));
  }

  /**
   * The value to inject.
   *
   * @param values of all variables that it reads
   */
  public String value(Map<String, ?> values, ObjectSource source) throws UndecidedException {
    if (evaluate(values, source).value() instanceof String text) {
      return text;
    }
    throw new UndecidedException("it does not give a text; string(…) makes one");
  }

  private Found evaluate(Map<String, ?> values, ObjectSource source) throws UndecidedException {
    var objects = new ObjectFunction(source);
    var seen = new FoundValues();
    try {
      var result =
          compiled.evaluate(
              CelValues.fromPlain(values), objects.resolver(), new RenderBudget(), seen);
      return new Found(result, seen.shown(root));
    } catch (UnusableResultException e) {
      objects.rethrow();
      var actual = seen.shown(root);
      throw new UndecidedException(
          objects.failure().orElse(e.getMessage()) + (actual.isEmpty() ? "" : " (" + actual + ")"));
    }
  }
}
