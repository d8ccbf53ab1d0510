package io.middleware.engine.render.expression;

import static java.util.stream.Collectors.toCollection;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelIssue;
import dev.cel.common.CelValidationException;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.common.navigation.CelNavigableAst;
import dev.cel.common.navigation.CelNavigableExpr;
import dev.cel.common.types.CelKind;
import dev.cel.common.types.SimpleType;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelEvaluationListener;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * An expression of a check or a test: a condition, or a value that is injected. It may read objects
 * as they are now. Its work is bounded. Thread-safe.
 */
public final class ConditionExpression {
  private static final String ROLE = "role";
  private static final CelEvaluationListener NOBODY = (expression, value) -> {};

  private final CompiledExpression compiled;
  private final CelNavigableExpr root;
  private final Set<String> variables;
  private final boolean showsWhatIsRead;

  private ConditionExpression(
      CompiledExpression compiled, CelAbstractSyntaxTree checked, ConditionScope scope) {
    this.compiled = compiled;
    this.root = CelNavigableAst.fromAst(checked).getRoot();
    this.variables =
        root.allNodes()
            .filter(node -> node.getKind() == Kind.IDENT)
            .map(node -> node.expr().ident().name())
            .filter(scope.variableNames()::contains)
            .collect(toCollection(TreeSet::new));
    this.showsWhatIsRead = scope.showsWhatIsRead();
  }

  /** It cannot be told whether the expression is true, or what its value is. */
  public static final class UndecidedException extends Exception {
    private static final long serialVersionUID = 1L;

    UndecidedException(String message) {
      super(message, null, false, false);
    }
  }

  /**
   * What an evaluation has found.
   *
   * @param value true or false of a condition, a text of a value
   * @param actual the fields that were read, where people are shown them; may be empty
   */
  public record Found(Object value, String actual) {
    public boolean isTrue() {
      return Boolean.TRUE.equals(value);
    }
  }

  /**
   * @throws IllegalArgumentException naming the places and problems
   */
  public static ConditionExpression of(ConditionScope scope, String text) {
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
  public static List<String> problems(ConditionScope scope, String text) {
    if (text == null || text.isBlank()) {
      return List.of("(1:1): the expression is empty");
    }
    try {
      var expression = compile(scope, text);
      return scope.sample().map(expression::trial).orElseGet(List::of);
    } catch (CelValidationException e) {
      return e.getErrors().stream().map(ConditionExpression::placed).toList();
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

  private static ConditionExpression compile(ConditionScope scope, String text)
      throws CelValidationException, CelEvaluationException {
    var environment = scope.environment();
    var checked = environment.check(text);
    var type = checked.getResultType();
    if (type.kind() != scope.result().kind() && type.kind() != CelKind.DYN) {
      throw new CelEvaluationException(
          "it gives a value of type %s, not %s"
              .formatted(
                  type.name(),
                  scope.result().equals(SimpleType.BOOL) ? "true or false" : "a text"));
    }
    ObjectFunction.refuseSecrets(checked);
    var compiled =
        new CompiledExpression(
            text.strip(),
            new SourcePosition(1, 1),
            environment.program(checked),
            CostlyCall.in(checked));
    return new ConditionExpression(compiled, checked, scope);
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
    return compiled.text().contains(ROLE);
  }

  /**
   * Whether it is true.
   *
   * @param values of all variables that it reads
   */
  public Found holds(Map<String, ?> values, ObjectSource objects) throws UndecidedException {
    var found = evaluate(values, objects);
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
  public String value(Map<String, ?> values, ObjectSource objects) throws UndecidedException {
    if (evaluate(values, objects).value() instanceof String text) {
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
              CelValues.fromPlain(values),
              objects.resolver(),
              new RenderBudget(),
              showsWhatIsRead ? seen : NOBODY);
      return new Found(result, seen.shown(root));
    } catch (UnusableResultException e) {
      objects.rethrow();
      var actual = seen.shown(root);
      throw new UndecidedException(
          objects.failure().orElse(e.getMessage()) + (actual.isEmpty() ? "" : " (" + actual + ")"));
    }
  }
}
