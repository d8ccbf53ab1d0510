package io.middleware.engine.activities.render;

import static java.util.stream.Collectors.toCollection;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelIssue;
import dev.cel.common.CelValidationException;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.common.navigation.CelNavigableAst;
import dev.cel.common.types.CelKind;
import dev.cel.runtime.CelEvaluationException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** An expression of a check, which is true or false. Its work is bounded. Thread-safe. */
public final class CheckExpression {
  private static final String ROLE = "role";

  private final CompiledExpression compiled;
  private final Set<String> variables;
  private final boolean asksForRoles;

  private CheckExpression(
      CompiledExpression compiled, CelAbstractSyntaxTree checked, CheckScope scope) {
    this.compiled = compiled;
    this.variables =
        CelNavigableAst.fromAst(checked)
            .getRoot()
            .allNodes()
            .filter(node -> node.getKind() == Kind.IDENT)
            .map(node -> node.expr().ident().name())
            .filter(scope.variableNames()::contains)
            .collect(toCollection(TreeSet::new));
    this.asksForRoles = compiled.text().contains(ROLE);
  }

  /** It cannot be told whether the expression is true. */
  public static final class UndecidedException extends Exception {
    private static final long serialVersionUID = 1L;

    UndecidedException(String message) {
      super(message, null, false, false);
    }
  }

  /**
   * @throws IllegalArgumentException naming the places and problems
   */
  public static CheckExpression of(CheckScope scope, String text) {
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
   * reference to 'node'}. What reads a key that no pod has is found by a trial.
   */
  public static List<String> problems(CheckScope scope, String text) {
    if (text == null || text.isBlank()) {
      return List.of("(1:1): the expression is empty");
    }
    try {
      return compile(scope, text).trial(scope.sample());
    } catch (CelValidationException e) {
      return e.getErrors().stream().map(CheckExpression::placed).toList();
    } catch (CelEvaluationException e) {
      return List.of("(1:1): " + e.getMessage());
    }
  }

  private List<String> trial(Map<String, Object> sample) {
    try {
      var objects = new ObjectFunction(ObjectSource.NONE);
      compiled.evaluate(sample, objects.resolver(), new RenderBudget());
    } catch (MissingKeyException e) {
      return List.of("(1:1): " + e.getMessage());
    } catch (UnusableResultException e) {
      return List.of(); // it may well work with other values
    }
    return List.of();
  }

  private static CheckExpression compile(CheckScope scope, String text)
      throws CelValidationException, CelEvaluationException {
    var environment = scope.environment();
    var checked = environment.check(text);
    var type = checked.getResultType();
    if (type.kind() != CelKind.BOOL && type.kind() != CelKind.DYN) {
      throw new CelEvaluationException(
          "it gives a value of type %s, not true or false".formatted(type.name()));
    }
    ObjectFunction.refuseSecrets(checked);
    var compiled =
        new CompiledExpression(
            text.strip(),
            new SourcePosition(1, 1),
            environment.program(checked),
            CostlyCall.in(checked));
    return new CheckExpression(compiled, checked, scope);
  }

  /** CEL counts columns from 0. */
  static String placed(CelIssue issue) {
    var at = issue.getSourceLocation();
    var position = new SourcePosition(Math.max(1, at.getLine()), Math.max(0, at.getColumn()) + 1);
    return "(%s): %s".formatted(position, issue.getMessage());
  }

  /** As it was written. */
  public String text() {
    return compiled.text();
  }

  /** The names of the variables that it reads. */
  public Set<String> variables() {
    return variables;
  }

  /** Whether its result may depend on the roles of pods. */
  public boolean asksForRoles() {
    return asksForRoles;
  }

  /**
   * Whether it is true.
   *
   * @param values of all variables
   */
  public boolean holds(Map<String, ?> values) throws UndecidedException {
    return holds(values, ObjectSource.NONE);
  }

  /**
   * The same, with objects that it may read.
   *
   * @param values of all variables
   */
  public boolean holds(Map<String, ?> values, ObjectSource objects) throws UndecidedException {
    var function = new ObjectFunction(objects);
    try {
      var result =
          compiled.evaluate(CelValues.fromPlain(values), function.resolver(), new RenderBudget());
      if (result instanceof Boolean truth) {
        return truth;
      }
      throw new UndecidedException("it gives %s, not true or false".formatted(result));
    } catch (UnusableResultException e) {
      throw new UndecidedException(function.failure().orElse(e.getMessage()));
    }
  }
}
