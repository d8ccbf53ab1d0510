package io.middleware.engine.activities.render;

import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelFunctionResolver;
import dev.cel.runtime.CelLateFunctionBindings;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The function {@code object} of one evaluation. Remembers what could not be read. */
final class TestObjectFunction {
  private final TestObjectSource source;
  private Optional<UnreadableObjectException> failure = Optional.empty();

  TestObjectFunction(TestObjectSource source) {
    this.source = source;
  }

  @SuppressWarnings("Immutable") // the objects are what the function is about
  CelFunctionResolver resolver() {
    return CelLateFunctionBindings.from(
        CelFunctionBinding.from(
            TestScope.BY_NAME,
            String.class,
            String.class,
            (kind, name) -> read(Optional.empty(), kind, name)),
        CelFunctionBinding.from(
            TestScope.BY_VERSION_AND_NAME,
            List.of(String.class, String.class, String.class),
            texts -> read(Optional.of((String) texts[0]), (String) texts[1], (String) texts[2])));
  }

  /** Why the last object that could not be read could not. */
  Optional<String> failure() {
    return failure.map(UnreadableObjectException::getMessage);
  }

  /** Throws what its source wants to be thrown. */
  void rethrow() {
    if (failure.isPresent() && failure.get().getCause() instanceof RuntimeException cause) {
      throw cause;
    }
  }

  private Map<String, Object> read(Optional<String> apiVersion, String kind, String name)
      throws CelEvaluationException {
    try {
      if (kind.equals(ObjectSource.SECRET)) {
        throw new UnreadableObjectException("an expression cannot read Secrets");
      }
      return CelValues.fromPlain(source.object(apiVersion, kind, name));
    } catch (UnreadableObjectException e) {
      failure = Optional.of(e);
      throw new CelEvaluationException(e.getMessage(), e);
    }
  }

  /** Whether this call is certain to ask for a Secret. */
  static boolean asksForSecret(CelExpr expression) {
    if (expression.getKind() != Kind.CALL
        || !expression.call().function().equals(TestScope.OBJECT)) {
      return false;
    }
    var arguments = expression.call().args();
    return constant(arguments.get(arguments.size() - 2))
        .filter(ObjectSource.SECRET::equals)
        .isPresent();
  }

  /** The value, when it is a constant text. */
  static Optional<String> constant(CelExpr expression) {
    return expression.getKind() == Kind.CONSTANT
            && expression.constant().getKind() == dev.cel.common.ast.CelConstant.Kind.STRING_VALUE
        ? Optional.of(expression.constant().stringValue())
        : Optional.empty();
  }
}
