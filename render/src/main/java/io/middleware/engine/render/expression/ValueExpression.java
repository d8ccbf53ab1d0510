package io.middleware.engine.render.expression;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelValidationException;
import dev.cel.common.types.CelKind;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.SimpleType;
import dev.cel.runtime.CelEvaluationException;
import io.middleware.engine.render.expression.ConditionExpression.UndecidedException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * An expression over the values of an App as it is desired, and of those that it uses: it reads
 * nothing of the cluster itself. Its work is bounded. Thread-safe.
 */
public final class ValueExpression {
  private static final CelType ANYTHING = CelEnvironment.ANYTHING;
  private static final CelType VOLUMES = CelEnvironment.VOLUMES;

  private final CompiledExpression compiled;

  private ValueExpression(CompiledExpression compiled) {
    this.compiled = compiled;
  }

  /** What an expression is for, which decides on its variables and on what it gives. */
  public enum Purpose {
    /** Whether the values of a group fit together. */
    RULE(
        Map.of(
            "group", SimpleType.STRING,
            "replicas", SimpleType.INT,
            "config", ANYTHING,
            "resources", ANYTHING,
            "storage", ANYTHING,
            "volumes", VOLUMES),
        SimpleType.BOOL,
        "true or false"),
    /** The value of a parameter that the App does not set. */
    DERIVED(Map.of("uses", ListType.create(ANYTHING)), SimpleType.DYN, "a scalar");

    private final CelEnvironment environment;
    private final CelType result;
    private final String expected;

    Purpose(Map<String, CelType> own, CelType result, String expected) {
      var variables = new TreeMap<>(own);
      variables.put("app", SimpleType.STRING);
      variables.put("component", SimpleType.STRING);
      variables.put("runtime", CelEnvironment.TEXTS);
      variables.put("components", CelEnvironment.ANYTHING);
      this.environment = new CelEnvironment(variables);
      this.result = result;
      this.expected = expected;
    }
  }

  /** Why it cannot be used, each problem after its place: {@code (1:8): undeclared reference}. */
  public static List<String> problems(Purpose purpose, String text) {
    try {
      compile(purpose, text);
      return List.of();
    } catch (CelValidationException e) {
      return e.getErrors().stream().map(ConditionExpression::placed).toList();
    } catch (CelEvaluationException e) {
      return List.of("(1:1): " + e.getMessage());
    }
  }

  /**
   * @throws IllegalArgumentException where there are {@link #problems}
   */
  public static ValueExpression of(Purpose purpose, String text) {
    try {
      return compile(purpose, text);
    } catch (CelValidationException | CelEvaluationException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  private static ValueExpression compile(Purpose purpose, String text)
      throws CelValidationException, CelEvaluationException {
    var checked = purpose.environment.check(text);
    var type = checked.getResultType();
    if (type.kind() != purpose.result.kind()
        && type.kind() != CelKind.DYN
        && purpose.result.kind() != CelKind.DYN) {
      throw new CelEvaluationException(
          "it gives a value of type %s, not %s".formatted(type.name(), purpose.expected));
    }
    return new ValueExpression(program(purpose, text, checked));
  }

  private static CompiledExpression program(
      Purpose purpose, String text, CelAbstractSyntaxTree checked) throws CelEvaluationException {
    return new CompiledExpression(
        text.strip(),
        new SourcePosition(1, 1),
        purpose.environment.program(checked),
        CostlyCall.in(checked));
  }

  /**
   * Whether it is true.
   *
   * @param values of all variables
   */
  public boolean holds(Map<String, ?> values) throws UndecidedException {
    if (value(values) instanceof Boolean truth) {
      return truth;
    }
    throw new UndecidedException("it is neither true nor false");
  }

  /**
   * The text, number or truth that it gives; empty when it gives null or an empty optional.
   *
   * @param values of all variables
   */
  public Optional<Object> scalar(Map<String, ?> values) throws UndecidedException {
    try {
      var plain = CelValues.toPlain(value(values));
      if (plain.filter(it -> it instanceof Map || it instanceof List).isPresent()) {
        throw new UndecidedException("it is neither a text, nor a number, nor true or false");
      }
      return plain;
    } catch (UnusableResultException e) {
      throw new UndecidedException(e.getMessage());
    }
  }

  private Object value(Map<String, ?> values) throws UndecidedException {
    try {
      return compiled.evaluate(CelValues.fromPlain(values), new RenderBudget());
    } catch (UnusableResultException e) {
      throw new UndecidedException(e.getMessage());
    }
  }
}
